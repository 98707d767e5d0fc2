import type { NormalEquations, Residuals } from '#src/analytics/domain/numerics/levenberg-marquardt.ts';
import { HUBER, INSIDE, type ScaledQuotes, STRIDE } from './smile-misfit.ts';
import type { RawSvi } from './svi.ts';

/** Raw parameters of [a, d, c, m, s] in scaled units. */
export function unscaleSvi(x: Float64Array, theta: number): RawSvi {
  const deviation = Math.sqrt(theta);
  const c = x[2]!;
  return { a: theta * x[0]!, b: deviation * c, rho: x[1]! / c, m: deviation * x[3]!, sigma: deviation * x[4]! };
}

/** The way back of {@link unscaleSvi}. */
export function scaleSvi({ a, b, rho, m, sigma }: RawSvi, theta: number): Float64Array {
  const deviation = Math.sqrt(theta);
  return Float64Array.of(a / theta, (rho * b) / deviation, b / deviation, m / deviation, sigma / deviation);
}

/** Steeper than Lee's bound by far, or narrower than any distance of strikes: no smile of quotes. */
const LEAST_WIDTH = 0.01;
const MOST_LEAN = 0.9999;

/** The least-squares problem of one smile, in [a, d, c, m, s]: refused where no smile of quotes is. */
export function sviMisfit({ rows, count, theta }: ScaledQuotes): Residuals {
  const steepest = 2 / Math.sqrt(theta);
  const evaluate = (x: Float64Array, { hessian, gradient }: NormalEquations): number => {
    const a = x[0]!;
    const d = x[1]!;
    const c = x[2]!;
    const m = x[3]!;
    const s = x[4]!;
    if (!(s >= LEAST_WIDTH && Math.abs(d) <= MOST_LEAN * c && c + Math.abs(d) <= steepest)) return Infinity;
    if (!(a + s * Math.sqrt(c * c - d * d) > 0)) return Infinity;
    let cost = 0;
    let g0 = 0;
    let g1 = 0;
    let g2 = 0;
    let g3 = 0;
    let g4 = 0;
    let h00 = 0;
    let h10 = 0;
    let h11 = 0;
    let h20 = 0;
    let h21 = 0;
    let h22 = 0;
    let h30 = 0;
    let h31 = 0;
    let h32 = 0;
    let h33 = 0;
    let h40 = 0;
    let h41 = 0;
    let h42 = 0;
    let h43 = 0;
    let h44 = 0;
    for (let i = 0; i < count * STRIDE; i += STRIDE) {
      const u = rows[i]! - m;
      const r = Math.sqrt(u * u + s * s);
      const vol = Math.sqrt(a + d * u + c * r);
      const perSpread = rows[i + 2]!;
      const e = (vol - rows[i + 1]!) * perSpread;
      const beyond = e > rows[i + 4]! ? e - rows[i + 4]! : e < rows[i + 3]! ? e - rows[i + 3]! : 0;
      const miss = beyond + INSIDE * e;
      const size = Math.abs(miss);
      const vega = rows[i + 5]!;
      const weight = size > HUBER ? (vega * HUBER) / size : vega;
      cost += vega * (size > HUBER ? HUBER * (size - 0.5 * HUBER) : 0.5 * miss * miss);
      const slope = ((beyond === 0 ? INSIDE : 1 + INSIDE) * perSpread) / (2 * vol);
      const wide = c / r;
      const j0 = slope;
      const j1 = slope * u;
      const j2 = slope * r;
      const j3 = -slope * (d + wide * u);
      const j4 = slope * wide * s;
      const w0 = weight * j0;
      const w1 = weight * j1;
      const w2 = weight * j2;
      const w3 = weight * j3;
      const w4 = weight * j4;
      g0 += w0 * miss;
      g1 += w1 * miss;
      g2 += w2 * miss;
      g3 += w3 * miss;
      g4 += w4 * miss;
      h00 += w0 * j0;
      h10 += w1 * j0;
      h11 += w1 * j1;
      h20 += w2 * j0;
      h21 += w2 * j1;
      h22 += w2 * j2;
      h30 += w3 * j0;
      h31 += w3 * j1;
      h32 += w3 * j2;
      h33 += w3 * j3;
      h40 += w4 * j0;
      h41 += w4 * j1;
      h42 += w4 * j2;
      h43 += w4 * j3;
      h44 += w4 * j4;
    }
    gradient.set([g0, g1, g2, g3, g4]);
    hessian[0] = h00;
    hessian[5] = h10;
    hessian[6] = h11;
    hessian[10] = h20;
    hessian[11] = h21;
    hessian[12] = h22;
    hessian[15] = h30;
    hessian[16] = h31;
    hessian[17] = h32;
    hessian[18] = h33;
    hessian[20] = h40;
    hessian[21] = h41;
    hessian[22] = h42;
    hessian[23] = h43;
    hessian[24] = h44;
    return cost;
  };
  return { size: 5, evaluate };
}

const CENTRES = [-0.6, 0.2, 1] as const;
const WIDTHS = [0.4, 1.2] as const;

/**
 * Computes the start of a fit of y = a + d(x − m) + c√((x − m)² + s²), as [a, d, c, m, s] in scaled units: for each of
 * a few bends (m, s) the best line of the rest is a linear problem of three unknowns, and the best of the few wins.
 * Null where the quotes do not determine one.
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
