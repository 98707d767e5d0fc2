import {
  type LeastSquares,
  levenbergMarquardt,
  type NormalEquations,
} from '#src/analytics/domain/numerics/levenberg-marquardt.ts';
import type { ScaledQuotes } from './smile-misfit.ts';
import type { RawSvi } from './svi.ts';
import { certifySvi, type SviCertificate } from './svi-certificate.ts';
import { sviMisfit, unscaleSvi } from './svi-misfit.ts';

const ROUNDS = 12;
/** Half-spreads that g below its margin costs, per unit of g. */
const PRICE = 1000;
const MARGIN = 0.002;
/** A repaired smile stands as close to arbitrage as it may: this much of g keeps it off by more than any rounding. */
export const CLEAR = 1e-4;

/**
 * Fits the smile again with a price on negative g at the points where it was least, one more with each round, until the
 * certificate holds: from the smile that failed, and where that leads nowhere from one that holds. Null where neither
 * does after twelve rounds. Smiles in scaled units.
 */
export function refitSvi(scaled: ScaledQuotes, failed: Float64Array, sound: Float64Array | null): Certified | null {
  const points: number[] = [];
  const least = certifySvi(unscaleSvi(failed, scaled.theta)).leastGAt;
  if (least !== null) points.push(least / Math.sqrt(scaled.theta));
  return refitFrom(scaled, failed, points) ?? (sound && refitFrom(scaled, sound, points));
}

/** A smile with its certificate. */
export interface Certified {
  readonly raw: RawSvi;
  readonly certificate: SviCertificate;
}

function refitFrom(scaled: ScaledQuotes, start: Float64Array, points: number[]): Certified | null {
  const problem = withPrice(sviMisfit(scaled), points, scaled.theta);
  let at = start;
  for (let round = 0; round < ROUNDS; round++) {
    at = levenbergMarquardt(problem, at, { tolerance: 1e-4, limit: 40 }).x;
    const raw = unscaleSvi(at, scaled.theta);
    const certificate = certifySvi(raw);
    if (certificate.holds && certificate.leastG >= CLEAR) return { raw, certificate };
    if (certificate.leastGAt === null) return null;
    points.push(certificate.leastGAt / Math.sqrt(scaled.theta));
  }
  return null;
}

function withPrice(problem: LeastSquares, points: readonly number[], theta: number): LeastSquares {
  const slope = new Float64Array(problem.size);
  const evaluate = (x: Float64Array, normal: NormalEquations): number => {
    let cost = problem.evaluate(x, normal);
    if (!(cost < Infinity)) return cost;
    for (const point of points) {
      const short = MARGIN - scaledG(x, point, theta, slope);
      if (!(short > 0)) continue;
      cost += 0.5 * (PRICE * short) ** 2;
      for (let i = 0; i < problem.size; i++) {
        normal.gradient[i]! -= PRICE * PRICE * short * slope[i]!;
        for (let j = 0; j <= i; j++) normal.hessian[i * problem.size + j]! += PRICE * PRICE * slope[i]! * slope[j]!;
      }
    }
    return cost;
  };
  return { size: problem.size, evaluate };
}

/** Durrleman's g of y = a + d(x − m) + c√((x − m)² + s²) in scaled units, and its derivatives by (a, d, c, m, s). */
function scaledG(smile: Float64Array, x: number, theta: number, slope: Float64Array): number {
  const [a, d, c, m, s] = smile as unknown as readonly [number, number, number, number, number];
  const u = x - m;
  const r = Math.sqrt(u * u + s * s);
  const cube = r * r * r;
  const y = a + d * u + c * r;
  const first = d + (c * u) / r;
  const second = (c * s * s) / cube;
  const tilt = 1 - (x * first) / (2 * y);
  const curb = 1 / y + 0.25 * theta;
  // How g answers to each of the three.
  const byY = (tilt * x * first) / (y * y) + (first * first) / (4 * y * y);
  const byFirst = (-tilt * x) / y - 0.5 * first * curb;
  slope[0] = byY;
  slope[1] = byY * u + byFirst;
  slope[2] = byY * r + (byFirst * u) / r + (0.5 * s * s) / cube;
  slope[3] = -byY * first - byFirst * second + (1.5 * second * u) / (r * r);
  slope[4] = (byY * c * s) / r - (byFirst * c * u * s) / cube + (c * s) / cube - (1.5 * second * s) / (r * r);
  return tilt * tilt - 0.25 * first * first * curb + 0.5 * second;
}
