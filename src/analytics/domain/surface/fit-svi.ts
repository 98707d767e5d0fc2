import {
  costAt,
  levenbergMarquardt,
  type NormalEquations,
  type Residuals,
  type Stopping,
} from '#src/analytics/domain/numerics/levenberg-marquardt.ts';
import { type ScaledQuotes, scaleQuotes } from './smile-misfit.ts';
import type { RawSvi } from './svi.ts';
import { certifySvi, type SviCertificate } from './svi-certificate.ts';
import { jumpWingsToRaw, rawToJumpWings, repairJumpWings } from './svi-forms.ts';
import { scaleSvi, sviMisfit, sviStart, unscaleSvi } from './svi-misfit.ts';
import type { VolatilityQuotes } from './volatility-quotes.ts';

const ROUNDS = 12;
/** Half-spreads that g below its margin costs, per unit of g. */
const PRICE = 1000;
const MARGIN = 0.002;
/** A repaired smile is as close to arbitrage as it may be: this much of g keeps it off by more than any rounding. */
const CLEAR = 1e-4;

/**
 * Fits the smile again with a price on negative g at the points where it was least, one more with each round, until the
 * certificate holds: from the smile that failed, and where that leads nowhere from one that holds. Null where neither
 * does after twelve rounds. Smiles in scaled units.
 */
function refitSvi(scaled: ScaledQuotes, failed: Float64Array, sound: Float64Array | null): Certified | null {
  const points: number[] = [];
  const least = certifySvi(unscaleSvi(failed, scaled.theta)).leastGAt;
  if (least !== null) points.push(least / Math.sqrt(scaled.theta));
  return refitFrom(scaled, failed, points) ?? (sound && refitFrom(scaled, sound, points));
}

/** A smile with its certificate. */
interface Certified {
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

function withPrice(problem: Residuals, points: readonly number[], theta: number): Residuals {
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

const HALVINGS = 12;

/**
 * The smile on the way from the published repair (same variance and slope at the money, same put wing) to the given
 * one that is nearest to the given one and holds its certificate. Null where not even the repair holds it.
 */
function repairSvi(raw: RawSvi, years: number): Certified | null {
  const wings = rawToJumpWings(raw, years);
  const safe = wings && repairJumpWings(wings);
  if (!wings || !safe) return null;
  const between = (t: number) => {
    const smile = jumpWingsToRaw(
      { ...safe, c: safe.c + t * (wings.c - safe.c), vtilde: safe.vtilde + t * (wings.vtilde - safe.vtilde) },
      years,
    );
    const certificate = smile && certifySvi(smile);
    return certificate?.holds && certificate.leastG >= CLEAR ? { raw: smile!, certificate } : null;
  };
  let best = between(0);
  if (!best) return null;
  let low = 0;
  let high = 1;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    const found = between(middle);
    if (found) {
      best = found;
      low = middle;
    } else high = middle;
  }
  return best;
}

/** A smile that holds its certificate, or the reason why there is none. */
export type SviFit =
  | {
      /** `repaired`: the best fit had butterfly arbitrage, and this is the nearest to it that was found without. */
      readonly status: 'ok' | 'repaired';
      readonly raw: RawSvi;
      readonly certificate: SviCertificate;
    }
  | { readonly status: 'too_few_quotes' | 'no_fit' | 'arbitrage'; readonly raw: null; readonly certificate: null };

/** Under as many quotes as parameters a smile is not determined. */
const MIN_QUOTES = 5;

/**
 * Fits raw SVI to the usable quotes of an expiry `years` away, by misses in half-spreads of volatility with none
 * counted between bid and ask. A smile that fails its certificate is repaired or refused, never returned.
 *
 * @param known a smile to begin at where it misses less than what the quotes alone suggest: a smile that is almost
 *   straight over the quotes has its bend far outside of them, where no start of our own lies.
 */
export function fitSvi(quotes: VolatilityQuotes, years: number, known?: RawSvi): SviFit {
  if (quotes.k.length < MIN_QUOTES) return refused('too_few_quotes');
  const scaled = scaleQuotes(quotes, years);
  const misfit = sviMisfit(scaled);
  const start = better(misfit, sviStart(scaled), known ? scaleSvi(known, scaled.theta) : null);
  if (!start) return refused('no_fit');
  const { x, cost } = levenbergMarquardt(misfit, start, stopping(scaled));
  if (!(cost < Infinity)) return refused('no_fit');
  const raw = unscaleSvi(x, scaled.theta);
  const certificate = certifySvi(raw);
  if (certificate.holds) return { status: 'ok', raw, certificate };
  const drawn = repairSvi(raw, years);
  const repaired = refitSvi(scaled, x, drawn && scaleSvi(drawn.raw, scaled.theta)) ?? drawn;
  return repaired ? { status: 'repaired', ...repaired } : refused('arbitrage');
}

/** Returns the start of the two that misses less. */
function better(misfit: Residuals, one: Float64Array | null, other: Float64Array | null): Float64Array | null {
  if (!one || !other) return one ?? other;
  return costAt(misfit, other) < costAt(misfit, one) ? other : one;
}

/** A step that gains a ten-thousandth of a squared half-spread per quote moves no smile that anyone could see. */
function stopping({ count }: ScaledQuotes): Stopping {
  return { tolerance: 1e-3, negligible: 1e-4 * count, limit: 40 };
}

function refused(status: 'too_few_quotes' | 'no_fit' | 'arbitrage'): SviFit {
  return { status, raw: null, certificate: null };
}
