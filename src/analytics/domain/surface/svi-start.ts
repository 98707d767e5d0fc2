import { type ScaledQuotes, STRIDE } from './smile-misfit.ts';

const CENTRES = [-0.6, 0.2, 1] as const;
const WIDTHS = [0.4, 1.2] as const;

/**
 * Where a fit of y = a + d(x − m) + c√((x − m)² + s²) begins, as [a, d, c, m, s] in scaled units: for each of a few
 * bends (m, s) the best line of the rest is a linear problem of three unknowns, and the best of the few wins. Null
 * where the quotes do not determine one.
 *
 * @see Zeliade Systems, "Quasi-explicit calibration of Gatheral's SVI model" (2009)
 */
export function sviStart(scaled: ScaledQuotes): Float64Array | null {
  let best: Float64Array | null = null;
  let least = Infinity;
  for (const s of WIDTHS) {
    for (const m of CENTRES) {
      const found = project(scaled, m, s);
      if (!found || found.cost >= least) continue;
      least = found.cost;
      best = found.start;
    }
  }
  return best;
}

/** Weighted least squares in variance for a, d and c, with the bend given. */
function project({ rows, count }: ScaledQuotes, m: number, s: number): { start: Float64Array; cost: number } | null {
  let s0 = 0;
  let su = 0;
  let sr = 0;
  let suu = 0;
  let sur = 0;
  let srr = 0;
  let sy = 0;
  let suy = 0;
  let sry = 0;
  let syy = 0;
  for (let i = 0; i < count * STRIDE; i += STRIDE) {
    const u = rows[i]! - m;
    const r = Math.sqrt(u * u + s * s);
    const mid = rows[i + 1]!;
    const y = mid * mid;
    // A miss in variance is 2σ times a miss in volatility.
    const scale = rows[i + 2]! / (2 * mid);
    const weight = rows[i + 5]! * scale * scale;
    s0 += weight;
    su += weight * u;
    sr += weight * r;
    suu += weight * u * u;
    sur += weight * u * r;
    srr += weight * r * r;
    sy += weight * y;
    suy += weight * u * y;
    sry += weight * r * y;
    syy += weight * y * y;
  }
  const auu = suu - (su * su) / s0;
  const aur = sur - (su * sr) / s0;
  const arr = srr - (sr * sr) / s0;
  const buy = suy - (su * sy) / s0;
  const bry = sry - (sr * sy) / s0;
  const determinant = auu * arr - aur * aur;
  if (!(determinant > 1e-12 * auu * arr)) return null;
  const c = Math.max((auu * bry - aur * buy) / determinant, 0.02);
  const d = Math.min(Math.max((buy - aur * c) / auu, -0.98 * c), 0.98 * c);
  // The least variance of a smile is above zero.
  const a = Math.max((sy - d * su - c * sr) / s0, 1e-3 - s * Math.sqrt(c * c - d * d));
  const cost =
    syy +
    a * a * s0 +
    d * d * suu +
    c * c * srr +
    2 * (a * d * su + a * c * sr + d * c * sur - a * sy - d * suy - c * sry);
  return { start: Float64Array.of(a, d, c, m, s), cost };
}
