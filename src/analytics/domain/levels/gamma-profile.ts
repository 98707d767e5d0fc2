import type { Book } from '#src/analytics/domain/book/book.ts';
import { forwardOverMean } from '#src/analytics/domain/pricing/price-blend.ts';
import type { GammaTerms } from './gamma-terms.ts';

/** G on a geometric grid of spots: the part of contracts under two days from expiry, and all. */
export interface GammaProfile {
  /** Spots from 0.85 to 1.15 of the book's, evenly spaced in their logarithm. */
  readonly spots: Float64Array;
  /** $ of delta per +1 % spot, all contracts, at each spot. */
  readonly gex: Float64Array;
  /** The same without the contracts under two days. */
  readonly smooth: Float64Array;
}

export const profileRange = { low: 0.85, high: 1.15 } as const;
const TWO_DAYS = 2 / 365;
/** A row's bell is followed to 14 deviations, where it is below 1e-42 of its peak. */
const REACH = 14;

/** Checks whether an expiry is so near that its gamma may be narrower than the step of a grid. */
export function isShortDated({ years }: { readonly years: number }): boolean {
  return years < TWO_DAYS;
}

/**
 * The gamma profile on `count` spots, sticky strike. On a geometric grid each row's d moves by a constant δ, so
 * φ(d + δ) = φ(d)·ρ with ρ shrinking by e^{−δ²} a step: no exponential in the inner loop. Relative error about 1e-12.
 */
export function gammaProfile(book: Book, terms: GammaTerms, count: number): GammaProfile {
  const low = Math.log(book.spot * profileRange.low);
  const step = Math.log(profileRange.high / profileRange.low) / (count - 1);
  const smooth = new Float64Array(count);
  const short = new Float64Array(count);
  const isShort = book.expiries.map(isShortDated);
  const scratch = new Float64Array(count);
  for (let i = 0; i < terms.count; i++) {
    const target = isShort[terms.expiry[i]!] ? short : smooth;
    const bell = { low, step, centre: terms.centre[i]!, deviation: terms.deviation[i]!, weight: terms.weight[i]! };
    if (terms.isNormal[i] === 0) addBell(target, bell);
    else addNormalBell(target, bell, scratch);
  }
  const spots = Float64Array.from({ length: count }, (_, j) => Math.exp(low + j * step));
  const gex = spots.map((spot, j) => (smooth[j]! + short[j]!) * spot);
  return { spots, gex, smooth: smooth.map((value, j) => value * spots[j]!) };
}

interface Bell {
  readonly low: number;
  readonly step: number;
  readonly centre: number;
  readonly deviation: number;
  readonly weight: number;
}

/** The same in Bachelier's model: the bell alone by the recurrence, then each point times x/(1 − e^{−x}). */
function addNormalBell(target: Float64Array, bell: Bell, scratch: Float64Array): void {
  const { low, step, centre, deviation } = bell;
  const reach = (REACH + 1) * deviation;
  const first = Math.max(Math.floor((centre - reach - low) / step), 0);
  const last = Math.min(Math.ceil((centre + reach - low) / step), target.length - 1);
  scratch.fill(0, first, last + 1);
  addBell(scratch, bell);
  let x = low + first * step - centre;
  for (let j = first; j <= last; j++) {
    target[j]! += scratch[j]! * forwardOverMean(x);
    x += step;
  }
}

/** Adds weight·φ along the grid, outwards from the point nearest the peak, so that the recurrence only ever shrinks. */
function addBell(target: Float64Array, { low, step, centre, deviation, weight }: Bell): void {
  const last = target.length - 1;
  const delta = step / deviation;
  const peak = Math.min(Math.max(Math.round((centre - low) / step), 0), last);
  const d = (low + peak * step - centre) / deviation;
  if (Math.abs(d) > REACH) return;
  const reach = Math.ceil(REACH / delta);
  const start = weight * Math.exp(-0.5 * d * d);
  const shrink = Math.exp(-delta * delta);
  let value = start;
  // each ratio in one exponential: as two, a bell far narrower than a step would make it infinity times zero
  let ratio = Math.exp(-delta * (d + 0.5 * delta));
  const top = Math.min(last, peak + reach);
  for (let j = peak; j <= top; j++) {
    target[j]! += value;
    value *= ratio;
    ratio *= shrink;
  }
  ratio = Math.exp(delta * (d - 0.5 * delta));
  value = start * ratio;
  ratio *= shrink;
  const bottom = Math.max(0, peak - reach);
  for (let j = peak - 1; j >= bottom; j--) {
    target[j]! += value;
    value *= ratio;
    ratio *= shrink;
  }
}
