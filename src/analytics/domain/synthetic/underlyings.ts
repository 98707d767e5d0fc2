import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';

/** Parameters from which the made-up market of a symbol is generated. */
export interface Underlying {
  /** Index whose factor moves it: SPX is 0, NDX 1, RUT 2; a fund follows its index. */
  readonly index: number;
  /** The fund whose off-exchange trading represents the symbol's. */
  readonly proxy: 'SPY' | 'QQQ' | 'IWM';
  /** Index points at log level zero, and what one of this symbol is of an index point. */
  readonly level: number;
  readonly ratio: number;
  /** Loss of a fund on its index, per year, continuous: its fee. */
  readonly carry: number;
  readonly dividend: number;
  /** Correlation of strikes and variance in the surface: the skew's base value. */
  readonly rho: number;
  /** Least price steps in dollars, below and from a price of 3. */
  readonly ticks: readonly [number, number];
  /** Least distance of strikes. */
  readonly strikeStep: number;
  /** Open interest at the favourite strike of a weekly, contracts. */
  readonly interest: number;
}

/** Volatility of each index relative to SPX, and the correlation of its returns with those of SPX. */
export const indexFactors = [
  { scale: 1, correlation: 1 },
  { scale: 1.25, correlation: 0.93 },
  { scale: 1.3, correlation: 0.86 },
] as const;

const spx = { index: 0, proxy: 'SPY', level: 6850, rho: -0.7 } as const;
const ndx = { index: 1, proxy: 'QQQ', level: 25_150, rho: -0.62 } as const;
const rut = { index: 2, proxy: 'IWM', level: 2455, rho: -0.58 } as const;
const indexTicks = [0.05, 0.1] as const;
const fundTicks = [0.01, 0.01] as const;
const own = { ratio: 1, carry: 0 } as const;

export const underlyings: Readonly<Record<MarketSymbol, Underlying>> = {
  SPX: { ...spx, ...own, dividend: 0.013, ticks: indexTicks, strikeStep: 5, interest: 2500 },
  SPY: { ...spx, ratio: 0.1, carry: 0.000945, dividend: 0.013, ticks: fundTicks, strikeStep: 0.5, interest: 7000 },
  NDX: { ...ndx, ...own, dividend: 0.007, ticks: indexTicks, strikeStep: 10, interest: 150 },
  QQQ: { ...ndx, ratio: 0.0243, carry: 0.002, dividend: 0.006, ticks: fundTicks, strikeStep: 0.5, interest: 5000 },
  RUT: { ...rut, ...own, dividend: 0.013, ticks: indexTicks, strikeStep: 5, interest: 400 },
  IWM: { ...rut, ratio: 0.1, carry: 0.0019, dividend: 0.012, ticks: fundTicks, strikeStep: 0.5, interest: 3500 },
};

/** The continuous interest rate of the made-up market, per year. */
export const syntheticRate = 0.04;
