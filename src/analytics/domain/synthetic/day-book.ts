import { businessYears } from '#src/analytics/domain/calendar/clocks.ts';
import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { type MarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import { streamKey } from './counter-random.ts';
import { type ListedExpiry, listedExpiries } from './listed-expiries.ts';
import { listedStrikes } from './listed-strikes.ts';
import type { MarketPath } from './market-path.ts';
import { moodOn } from './mood.ts';
import { type PositionSetting, positionsAt, type SyntheticContract } from './open-interest.ts';
import { tradingDay } from './trading-index.ts';
import { indexFactors, type Underlying, underlyings } from './underlyings.ts';

/** All contracts of one trading day, in the order of a chain, with what is open before and after its session. */
export interface DayBook {
  readonly day: number;
  readonly expiries: readonly ListedExpiry[];
  readonly contracts: readonly SyntheticContract[];
  /** Business years from the opening to the settlement of each expiry. */
  readonly yearsAtOpen: Float64Array;
  /** Index into {@link DayBook.expiries} of each contract. */
  readonly expiry: Uint16Array;
  readonly openBefore: Float64Array;
  readonly openAfter: Float64Array;
  /** The dealers' signed contracts. */
  readonly dealersBefore: Float64Array;
  readonly dealersAfter: Float64Array;
}

export interface BookOptions {
  readonly symbol: MarketSymbol;
  readonly seed: number;
  readonly path: MarketPath;
  /** Contracts that the chain should have, about. */
  readonly size: number;
}

/** Expiries that are listed on a day, about; sets the strikes of each. */
const EXPIRIES = 20;
const YEAR_VOLATILITY = 0.165;
const REFERENCE_DAYS = 20;
/** Weights of the mood that all customers share, and of the mood of a symbol's own; the squares make one. */
const COMMON = 0.8;
const OWN = 0.6;

/** Price of a symbol at a log level of its index, on a trading day: the index, or its fund less the fund's fee. */
export function spotOf({ level, ratio, carry }: Underlying, logLevel: number, day: number): number {
  return level * ratio * Math.exp(logLevel - (carry * day) / 252);
}

/** Makes the books of a symbol's days. */
export function dayBooks({ symbol, seed, path, size }: BookOptions): (day: number) => DayBook {
  const underlying = underlyings[symbol];
  const { kind } = markets[symbol];
  const volatility = YEAR_VOLATILITY * (indexFactors[underlying.index]?.scale ?? 1);
  const priceBefore = (day: number): number =>
    day === 0
      ? spotOf(underlying, path.ends(0, underlying.index).open, 0)
      : spotOf(underlying, path.ends(day - 1, underlying.index).close, day - 1);
  const keys = new Map<number, number>();
  const means = new Map<number, number>();
  const moods = new Map<number, number>();
  const setting: PositionSetting = {
    kind,
    interest: underlying.interest,
    volatility,
    moodOf: (day) =>
      remembered(
        moods,
        day,
        () =>
          COMMON * moodOn((at) => path.dayKey(at, 'mood'), day) +
          OWN * moodOn((at) => path.dayKey(at, symbol, 'mood'), day),
      ),
    referenceOf: (day) => remembered(means, day, () => meanPrice(priceBefore, day)),
    dayKey: (day, purpose) => remembered(keys, day, () => path.dayKey(day, symbol, purpose)),
  };
  const rules = { strikeStep: underlying.strikeStep, volatility, strikes: size / (2 * EXPIRIES), priceBefore };
  return (day) => {
    const expiries = listedExpiries(symbol, day);
    const contracts = expiries.flatMap((expiry) => {
      const strikes = [...listedStrikes(expiry, day, rules)].toSorted((a, b) => a[0] - b[0]);
      return strikes.flatMap(([strike, listed]) =>
        [true, false].map((isCall) => ({
          expiry,
          strike,
          isCall,
          listed,
          key: streamKey(seed, expiry.root, expiry.date, strike, isCall ? 1 : 0),
        })),
      );
    });
    const before = contracts.map((contract) => positionsAt(contract, day - 1, setting));
    const after = contracts.map((contract) => positionsAt(contract, day, setting));
    const opening = sessionOn(tradingDay(day)).open;
    const places = new Map(expiries.map((expiry, place) => [expiry, place]));
    return {
      day,
      expiries,
      contracts,
      yearsAtOpen: Float64Array.from(expiries, ({ settles }) => businessYears(opening, settles)),
      expiry: Uint16Array.from(contracts, ({ expiry }) => places.get(expiry) ?? 0),
      openBefore: Float64Array.from(before, ({ open }) => open),
      openAfter: Float64Array.from(after, ({ open }) => open),
      dealersBefore: Float64Array.from(before, ({ dealers }) => dealers),
      dealersAfter: Float64Array.from(after, ({ dealers }) => dealers),
    };
  };
}

function meanPrice(priceBefore: (day: number) => number, day: number): number {
  const first = Math.max(day - REFERENCE_DAYS + 1, 0);
  let sum = 0;
  for (let number = first; number <= day; number++) sum += priceBefore(number);
  return sum / (day - first + 1);
}

function remembered(memory: Map<number, number>, day: number, make: () => number): number {
  let value = memory.get(day);
  if (value === undefined) {
    value = make();
    memory.set(day, value);
  }
  return value;
}
