import type { Tick } from './sign-trade.ts';

/** What one trading day added to a contract. */
export interface DayFlow {
  /** Contracts traded. */
  readonly volume: number;
  /** Expected change of the dealers' inventory, contracts. */
  readonly net: number;
  /** Its variance, contracts². */
  readonly variance: number;
}

/**
 * Sums over the trades of a contract, of v contracts each and e the expected sign of the customer's side: all that an
 * inventory and its error are made from.
 */
export interface FlowSums {
  /** −Σ v·e: the dealers' expected change if nothing is known of a trade but itself. */
  readonly net: number;
  /** Σ v. */
  readonly volume: number;
  /** Σ v². */
  readonly squares: number;
  /** Σ v·e². */
  readonly signal: number;
  /** Σ v²·e². */
  readonly signalSquares: number;
  /** Σ v²·e⁴. */
  readonly signalFourths: number;
}

/** What the tape has told of one contract. */
export interface FlowContract {
  /** Since the tape began; scaled down on each morning to what the open interest leaves room for. */
  readonly sums: FlowSums;
  /** Open interest older than the tape: the most that may have been held without having been seen. */
  readonly unseen: number;
  /** At the last settlement, and at the one before. */
  readonly openInterest: number;
  readonly previousOpenInterest: number;
  readonly today: DayFlow;
  readonly yesterday: DayFlow;
  /** Price and time of the last trade, and the last change of price: what the tick rule goes by. */
  readonly lastPrice: number | null;
  readonly lastTime: number;
  readonly tick: Tick;
}

/**
 * The inventory of one underlying's dealers as a plain value: JSON keeps it whole, so it may be stored between days.
 * Contracts without open interest or trades are not listed.
 */
export interface FlowState {
  readonly version: 1;
  /** Trading day that is being gathered, `YYYY-MM-DD`. */
  readonly date: string;
  /** First trading day of the tape without a gap since. */
  readonly since: string;
  /** By OSI symbol. */
  readonly contracts: Readonly<Record<string, FlowContract>>;
}

export const noTrades: FlowSums = {
  net: 0,
  volume: 0,
  squares: 0,
  signal: 0,
  signalSquares: 0,
  signalFourths: 0,
};

export const noFlow: DayFlow = { volume: 0, net: 0, variance: 0 };

/** A contract that nothing is known of but its open interest. */
export function unseenContract(openInterest: number): FlowContract {
  return {
    sums: noTrades,
    unseen: openInterest,
    openInterest,
    previousOpenInterest: 0,
    today: noFlow,
    yesterday: noFlow,
    lastPrice: null,
    lastTime: 0,
    tick: 0,
  };
}

/** Time of the last trade that a state has seen, ISO 8601; null before the first. */
export function lastTradeIn({ contracts }: FlowState): string | null {
  let last = 0;
  for (const { lastTime, lastPrice } of Object.values(contracts))
    if (lastPrice !== null) last = Math.max(last, lastTime);
  return last > 0 ? new Date(last).toISOString() : null;
}
