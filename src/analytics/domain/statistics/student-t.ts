import { brent } from '#src/analytics/domain/numerics/brent.ts';
import { inverseNormalCdf } from '#src/analytics/domain/numerics/normal.ts';

/** Two-sided p-value of a t statistic with that many degrees of freedom (above zero); 0 to 1. */
export function studentTwoSidedP(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The t with P(|T| ≤ t) = level, for a level inside (0, 1): half the width of an interval in standard errors. */
export function studentQuantile(level: number, degrees: number): number {
  const miss = (t: number) => 1 - studentTwoSidedP(t, degrees) - level;
  let high = 2 * inverseNormalCdf((1 + level) / 2) + 1;
  while (miss(high) < 0) high *= 2;
  const found = brent(miss, 0, high, 1e-14);
  // The bracket is made to hold a root, so there is one; the end is its upper bound.
  return found.status === 'ok' ? found.root : high;
}

const TINY = 1e-300;

/**
 * Regularised incomplete beta I_x(a, b) by its continued fraction (modified Lentz), about 1e-14.
 *
 * @see Abramowitz & Stegun 26.5.8; W. J. Lentz, Appl. Opt. 15 (1976)
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only left of the mean; on the right, the symmetry is used.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  let c = 1;
  let d = 1 / keep(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keep(1 + even * d);
    c = keep(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keep(1 + odd * d);
    c = keep(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return Math.min(1, (front * fraction) / a);
}

function keep(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** ln Γ(x) for x > 0: Stirling's series from 10 upwards, below it by the recurrence. */
function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  for (; y < 10; y++) shift += Math.log(y);
  const inverse = 1 / (y * y);
  const series =
    (1 / 12 -
      inverse *
        (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse * (1 / 1188 - inverse * (691 / 360360)))))) /
    y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
