import type { RuleName } from './backtest-schema.ts';
import type { Interval } from './history-row.ts';

interface BacktestRule {
  readonly meaning: string;
  /** True where it buys a one-day straddle rather than spot. */
  readonly straddle: boolean;
  /** The position for the interval, from what is known at its start and the interval before it, nothing else. */
  readonly decide: (now: Pick<Interval, 'known' | 'from'>, before: Interval | undefined) => -1 | 0 | 1;
  /** Return on notional of one long unit; null where it cannot be priced. */
  readonly payoff: (interval: Interval) => number | null;
}

/** Below it dealers amplify (analytics.md 2.3: negative). */
const NEGATIVE = -0.1;
/** Above it they damp strongly (strong_positive). */
const STRONG = 0.35;

const spotReturn = ({ from, to }: Interval) => to / from - 1;

/** The rules that may be tested. Few, and fixed: each rule more costs the others significance. */
export const backtestRules: Readonly<Record<RuleName, BacktestRule>> = {
  long_volatility_negative_gamma: {
    meaning: 'NGR below -0.1: long a one-day straddle at the implied volatility, which costs √(2/π)·σ_d and pays |r|',
    straddle: true,
    // Without a volatility there is no price to buy at.
    decide: ({ known }) => (known !== null && known.atm_volatility !== null && below(known.ngr, NEGATIVE) ? 1 : 0),
    payoff: (interval) => {
      const sigma = interval.known?.atm_volatility ?? null;
      return sigma === null ? null : Math.abs(spotReturn(interval)) - (Math.sqrt(2 / Math.PI) * sigma) / Math.sqrt(252);
    },
  },
  momentum_negative_gamma: {
    meaning: 'NGR below -0.1: spot in the direction of the last return',
    straddle: false,
    decide: ({ known }, before) => (known !== null && below(known.ngr, NEGATIVE) ? sign(before?.return ?? 0) : 0),
    payoff: spotReturn,
  },
  reversion_positive_gamma: {
    meaning: 'NGR above 0.35: spot against the direction of the last return',
    straddle: false,
    decide: ({ known }, before) =>
      known !== null && known.ngr !== null && known.ngr > STRONG ? sign(-(before?.return ?? 0)) : 0,
    payoff: spotReturn,
  },
  above_flip: {
    meaning: 'spot above the known flip: long spot, else none',
    straddle: false,
    decide: ({ known, from }) => (known !== null && known.flip !== null && from > known.flip ? 1 : 0),
    payoff: spotReturn,
  },
  always_long: {
    meaning: 'always long spot: what the others are to be held against',
    straddle: false,
    decide: () => 1,
    payoff: spotReturn,
  },
};

function below(ngr: number | null, bar: number): boolean {
  return ngr !== null && ngr < bar;
}

function sign(value: number): -1 | 0 | 1 {
  if (value > 0) return 1;
  return value < 0 ? -1 : 0;
}
