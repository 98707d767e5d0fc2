import { normalCdf, normalPdf } from '#src/analytics/domain/numerics/normal.ts';

/**
 * Mean and variance of a normal variable clipped to [−bound, bound]. A position cannot exceed the open interest; to
 * clip its mean alone would leave a contract at the bound with no error, or with one wider than the bound.
 */
export function clipNormal(mean: number, variance: number, bound: number): { mean: number; variance: number } {
  const sd = Math.sqrt(variance);
  if (bound === 0) return { mean: 0, variance: 0 };
  if (Math.abs(mean) + 8 * sd <= bound) return { mean, variance };
  if (sd < 1e-9 * bound) return { mean: Math.min(Math.max(mean, -bound), bound), variance: 0 };
  const a = (-bound - mean) / sd;
  const b = (bound - mean) / sd;
  const below = normalCdf(a);
  const above = normalCdf(-b);
  const inside = 1 - below - above;
  const [left, right] = [normalPdf(a), normalPdf(b)];
  const first = mean * inside - sd * (right - left) + bound * (above - below);
  // Second moment about the clipped mean, so that nothing cancels when the mean is large.
  const gap = mean - first;
  const middle = (gap * gap + variance) * inside - 2 * gap * sd * (right - left) - variance * (b * right - a * left);
  const tails = (bound - first) ** 2 * above + (bound + first) ** 2 * below;
  return { mean: Math.min(Math.max(first, -bound), bound), variance: Math.max(middle + tails, 0) };
}
