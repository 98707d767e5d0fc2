import type { Book } from '#src/analytics/domain/book/book.ts';

/** Rules by which a strike's volatility moves with the spot. */
export const volRegimes = ['sticky_strike', 'sticky_moneyness', 'ssr'] as const;
export type VolRegime = (typeof volRegimes)[number];

export interface SmileDynamics {
  readonly regime: VolRegime;
  /** Skew-stickiness ratio R, used by `ssr` alone: 1 is sticky strike, 0 sticky moneyness, an index has about 1.5. */
  readonly ssr?: number;
  /** ∂σ/∂k at k = ln(K/F) = 0 of an expiry, decimal; below zero where puts are dearer. */
  readonly skewAt: (expiry: number) => number;
}

/** Share of a row's volatility that remains however far spot moves: the linear law holds for small moves only. */
export const VOLATILITY_FLOOR = 0.1;

/**
 * dσ_K/d ln S of each expiry, (R − 1)·skew; zeros for sticky strike. An expiry without a finite skew stays where it is.
 *
 * @see L. Bergomi, Stochastic Volatility Modeling (2016), chapter 2 (skew-stickiness ratio)
 */
export function volatilitySlopes({ expiries }: Book, { regime, ssr = 1.5, skewAt }: SmileDynamics): Float64Array {
  const ratio = { sticky_strike: 1, sticky_moneyness: 0, ssr }[regime];
  return Float64Array.from(expiries, (_, e) => {
    const slope = ratio === 1 ? 0 : (ratio - 1) * skewAt(e);
    return Number.isFinite(slope) ? slope : 0;
  });
}

/** Moves of volatility by expiry when spot goes to `spot`, plus `parallel` for all: slope·ln(S'/S) + Δσ. */
export function volatilityMoves(slopes: Float64Array, logMove: number, parallel = 0): Float64Array {
  return slopes.map((slope) => slope * logMove + parallel);
}
