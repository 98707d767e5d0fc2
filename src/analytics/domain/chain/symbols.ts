/** The underlyings this release covers. */
export const marketSymbols = ['SPX', 'SPY', 'QQQ', 'IWM', 'NDX', 'RUT'] as const;
export type MarketSymbol = (typeof marketSymbols)[number];

export interface MarketRow {
  readonly name: string;
  readonly kind: 'index' | 'etf';
  /** Dollars per contract and index point. */
  readonly multiplier: number;
  /** Option roots and how each settles: `am` at the opening of its expiry day, `pm` at 16:00 New York. */
  readonly roots: Readonly<Record<string, 'am' | 'pm'>>;
  /**
   * Dollars traded per day in what hedgers trade (futures for an index, shares for a fund). Constants for orientation,
   * rounded, not measured: they scale the liquidity figures and should be replaced by a data feed.
   */
  readonly advUsd: number;
  /**
   * Dividend yield per year, decimal: a rounded constant. Only the funds use it: their American options do not give the
   * discount factor by parity, so the rate is the forward's growth plus this.
   */
  readonly dividendYield: number;
}

/** SPX and NDX and RUT roots are the AM-settled monthlies; their W and P roots settle at the close. */
export const markets: Readonly<Record<MarketSymbol, MarketRow>> = {
  SPX: {
    name: 'S&P 500 Index',
    kind: 'index',
    multiplier: 100,
    roots: { SPX: 'am', SPXW: 'pm' },
    advUsd: 400e9,
    dividendYield: 0.013,
  },
  SPY: {
    name: 'SPDR S&P 500 ETF Trust',
    kind: 'etf',
    multiplier: 100,
    roots: { SPY: 'pm' },
    advUsd: 40e9,
    dividendYield: 0.013,
  },
  QQQ: {
    name: 'Invesco QQQ Trust',
    kind: 'etf',
    multiplier: 100,
    roots: { QQQ: 'pm' },
    advUsd: 25e9,
    dividendYield: 0.006,
  },
  IWM: {
    name: 'iShares Russell 2000 ETF',
    kind: 'etf',
    multiplier: 100,
    roots: { IWM: 'pm' },
    advUsd: 7e9,
    dividendYield: 0.012,
  },
  NDX: {
    name: 'Nasdaq-100 Index',
    kind: 'index',
    multiplier: 100,
    roots: { NDX: 'am', NDXP: 'pm' },
    advUsd: 200e9,
    dividendYield: 0.007,
  },
  RUT: {
    name: 'Russell 2000 Index',
    kind: 'index',
    multiplier: 100,
    roots: { RUT: 'am', RUTW: 'pm' },
    advUsd: 20e9,
    dividendYield: 0.013,
  },
};

export function isMarketSymbol(value: unknown): value is MarketSymbol {
  return typeof value === 'string' && (marketSymbols as readonly string[]).includes(value);
}
