import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import type { Dsi } from './dsi-schema.ts';
import { dailyDeviation } from './market-impact.ts';
import type { SkewStickiness } from './skew-stickiness-schema.ts';

export interface DsiInput {
  readonly book: Book;
  /** The ratio R, and how it is known. */
  readonly stickiness: SkewStickiness;
  /** dσ/d ln S of each expiry, (R − 1)·skew. */
  readonly slopes: Float64Array;
  /** Annual volatility at the money, decimal; null if unknown. */
  readonly atmVolatility: number | null;
  /** Dollars traded per day in the hedging instrument. */
  readonly advUsd: number;
  /** Standard deviation of shadow GEX from the positions' uncertainty, $ per +1 % spot; null if there is none. */
  readonly shadowGexSd?: number | null;
  /** raw_share of the sessions before, oldest first. */
  readonly history?: readonly number[];
}

/** Share of a day's volume on a one-sigma move at which the index reaches 88 (or 12). */
const KAPPA = 0.05;
/** Half the width of an 80 % interval, in standard deviations. */
const EIGHTY = 1.2815515655446004;
const YEAR = 252;
const WEEK = 5;
/** Under this many sessions a percentile says little. */
const MIN_HISTORY = 20;

/**
 * Dealer Stability Index, 50·(1 + tanh(A·σ_d/(κ·ADV))), 0 to 100, with A = Σ nM(ΓS² + vanna·S·(R − 1)·skew): dealers trade
 * −A·ε dollars on a return of ε. Above 60 they absorb moves, under 40 they amplify them. What is undefined is null.
 */
export function dealerStability(input: DsiInput): Dsi {
  const { book, stickiness: ssr, slopes, atmVolatility, advUsd, shadowGexSd = null, history = [] } = input;
  const { gex, gexAbs, vannaDrag } = gammaSums(bookRows(book), { spot: book.spot, slopes });
  const coefficient = 100 * (gex + vannaDrag);
  const sigmaD = dailyDeviation(atmVolatility);
  // 50 would say that dealers are balanced; where there are no positions nothing is known of them
  const status = gexAbs === 0 ? 'no_gamma' : sigmaD === null ? 'no_volatility' : advUsd > 0 ? 'ok' : 'no_volume';
  const share = (a: number): number => (a * (sigmaD ?? 0)) / advUsd;
  const past = history.filter(Number.isFinite);
  if (status !== 'ok') {
    const nothing = { dsi: null, dsi_gamma_only: null, raw_share: null, percentile_252d: null, trend_5d: null };
    return { status, ...nothing, band: null, reading: null, stabilising_coefficient: coefficient, ssr, kappa: KAPPA };
  }
  const raw = share(coefficient);
  const spread = shadowGexSd === null || !(shadowGexSd >= 0) ? null : EIGHTY * share(100 * shadowGexSd);
  const before = past.at(-WEEK);
  const rank = percentile(past.slice(-YEAR), raw);
  return {
    status: rank === null || before === undefined ? 'insufficient_history' : 'ok',
    dsi: dsiOf(raw),
    dsi_gamma_only: dsiOf(share(100 * gex)),
    raw_share: raw,
    percentile_252d: rank,
    trend_5d: before === undefined ? null : dsiOf(raw) - dsiOf(before),
    band: spread === null ? null : { low: dsiOf(raw - spread), high: dsiOf(raw + spread) },
    reading: readingOf(dsiOf(raw)),
    stabilising_coefficient: coefficient,
    ssr,
    kappa: KAPPA,
  };
}

/** The index of a stored share of volume: history keeps shares, so that κ may change without rewriting it. */
export function dsiOf(rawShare: number): number {
  return 50 * (1 + Math.tanh(rawShare / KAPPA));
}

function readingOf(dsi: number): 'absorbing' | 'neutral' | 'amplifying' {
  if (dsi > 60) return 'absorbing';
  return dsi < 40 ? 'amplifying' : 'neutral';
}

/** Percent of the values at or below this one, ties counted half; null where there are too few. */
function percentile(values: readonly number[], value: number): number | null {
  if (values.length < MIN_HISTORY) return null;
  const below = values.reduce((sum, other) => sum + (other < value ? 1 : other === value ? 0.5 : 0), 0);
  return (100 * below) / values.length;
}
