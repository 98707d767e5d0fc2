import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import type { GenerationName } from '#src/analytics/domain/positions/dealer-positions.ts';

/** Five states, from dealers who damp moves to dealers who amplify them. */
export const regimeStates = ['strong_positive', 'positive', 'transition', 'negative', 'strong_negative'] as const;
export type RegimeState = (typeof regimeStates)[number];

/** The states before, of the generations that had one. */
export type PreviousRegimes = { readonly [name in GenerationName]?: RegimeState };

export interface RegimeInput {
  readonly spot: number;
  /** $ of delta per +1 % spot. */
  readonly gex: number;
  readonly gexAbs: number;
  /** Level of the primary flip; null if there is none. */
  readonly flip: number | null;
  /** Annual volatility at the money, decimal; null if unknown. */
  readonly atmVolatility: number | null;
  /** Dollars traded per day in the hedging instrument. */
  readonly advUsd: number;
  /** The state before, if there was one: leaving it takes 0.02 of NGR more than entering it. */
  readonly previous?: RegimeState | undefined;
  /** Standard deviation of GEX from the positions' uncertainty. Generation 1 has none: its positions are a convention. */
  readonly gexSd?: number | null | undefined;
}

export interface Regime {
  /** Null where there is no gamma at all. */
  readonly state: RegimeState | null;
  /** Net over gross gamma, −1 to 1; null where gross gamma is zero. */
  readonly ngr: number | null;
  /** Share of a day's volume that dealers trade on a one-sigma move; null without a volatility. */
  readonly gir: number | null;
  /** One standard deviation of a day's return, in percent. */
  readonly sigma_d_pct: number | null;
  /** max(p, 1 − p) of a positive GEX; null without a positioning sd, and then the rule "under 0.75 is transition" rests. */
  readonly confidence: number | null;
  /** Reason for the state: the ratio, the nearness of the flip, or too little confidence. */
  readonly reason: 'ngr' | 'near_flip' | 'low_confidence' | 'no_gamma';
}

const STRONG = 0.35;
const WEAK = 0.1;
const HYSTERESIS = 0.02;
const MIN_CONFIDENCE = 0.75;

/** The regime of a book at one spot (analytics.md 2.3). */
export function regime(input: RegimeInput): Regime {
  const { spot, gex, gexAbs, flip, atmVolatility, advUsd, previous, gexSd } = input;
  const sigmaD = atmVolatility === null ? null : atmVolatility / Math.sqrt(252);
  const ngr = gexAbs > 0 ? gex / gexAbs : null;
  const gir = sigmaD === null || !(advUsd > 0) ? null : (gex * (sigmaD / 0.01)) / advUsd;
  const confidence = signConfidence(gex, gexSd);
  const shared = { ngr, gir, sigma_d_pct: sigmaD === null ? null : sigmaD * 100, confidence };
  if (ngr === null) return { state: null, ...shared, reason: 'no_gamma' };
  if (confidence !== null && confidence < MIN_CONFIDENCE)
    return { state: 'transition', ...shared, reason: 'low_confidence' };
  if (flip !== null && sigmaD !== null && Math.abs(spot - flip) <= 0.5 * sigmaD * spot) {
    return { state: 'transition', ...shared, reason: 'near_flip' };
  }
  return { state: settle(ngr, previous), ...shared, reason: 'ngr' };
}

/** max(p, 1 − p) of the sign of a normal estimate; null without a standard deviation, 1 where that is zero. */
function signConfidence(gex: number, sd: number | null | undefined): number | null {
  if (sd === undefined || sd === null || !(sd >= 0)) return null;
  if (sd === 0) return gex === 0 ? 0.5 : 1;
  return normalCdf(Math.abs(gex) / sd);
}

/** The state of a ratio; the previous one is kept while the ratio is within 0.02 of its band. */
function settle(ngr: number, previous: RegimeState | undefined): RegimeState {
  if (previous === undefined) return classify(ngr);
  const reachable = [classify(ngr - HYSTERESIS), classify(ngr), classify(ngr + HYSTERESIS)];
  return reachable.includes(previous) ? previous : classify(ngr);
}

function classify(ngr: number): RegimeState {
  if (ngr > STRONG) return 'strong_positive';
  if (ngr > WEAK) return 'positive';
  if (ngr >= -WEAK) return 'transition';
  return ngr >= -STRONG ? 'negative' : 'strong_negative';
}
