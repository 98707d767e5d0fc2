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

/** What the tape has told of one contract. */
export interface FlowContract {
  /** Expected change of the dealers' inventory since the tape began, contracts; never beyond the open interest. */
  readonly net: number;
  readonly variance: number;
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

export const noFlow: DayFlow = { volume: 0, net: 0, variance: 0 };

/** A contract that nothing is known of but its open interest. */
export function unseenContract(openInterest: number): FlowContract {
  return {
    net: 0,
    variance: 0,
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
