import type { Tick } from './sign-trade.ts';

/** Trades that one trading day added to a contract. */
interface DayFlow {
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

/** Flow of one contract, as the tape shows it. */
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

const noTrades: FlowSums = {
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

/** With fewer contracts traded, how one-sided customers are cannot be told from chance. */
const LEAST_CONTRACTS = 20;

/**
 * The dealers' change and its variance, from the sums of a contract.
 *
 * Let customers buy with a share of (1 + θ)/2 in this contract, where θ is 0 on average and has the variance
 * `oneSidedness` over contracts. Then net = −Σ v·e has the variance τ²U² + Q − τ²R and, with the true change, the
 * covariance τ²UV + Q(1 − τ²), which give the best linear estimate and its error (V = Σv, W = Σv², U = Σve²,
 * Q = Σv²e², R = Σv²e⁴).
 *
 * At τ² = 0 that is the unchanged definition (analytics.md 1.4): mean −Σ v·λx, variance Σ v²(1 − (λx)²). It takes
 * each trade for a toss of its own, and so shrinks a flow that is one-sided throughout to λ² of its true size.
 */
export function flowMoments(sums: FlowSums, oneSidedness: number): { mean: number; variance: number } {
  const { net, volume, squares, signal, signalSquares, signalFourths } = sums;
  const rest = 1 - oneSidedness;
  const seen = oneSidedness * signal * signal + signalSquares - oneSidedness * signalFourths;
  const shared = oneSidedness * signal * volume + signalSquares * rest;
  const all = oneSidedness * volume * volume + squares * rest;
  const gain = seen > 0 ? shared / seen : 1;
  // What is certain has no variance but that of rounding.
  const left = all - gain * shared;
  return { mean: gain * net, variance: left > 1e-12 * all ? left : 0 };
}

/** The tape's own τ², 0 to 1, by moments: Σ(net² − Q)/Σ(U² − R) over its contracts; 0 under twenty contracts. */
export function flowOneSidedness({ contracts }: Pick<FlowState, 'contracts'>): number {
  const traded = Object.values<FlowContract>(contracts).filter(({ sums }) => sums.signal > 0);
  if (traded.length < LEAST_CONTRACTS) return 0;
  let [excess, scale] = [0, 0];
  for (const { sums } of traded) {
    excess += sums.net ** 2 - sums.signalSquares;
    scale += sums.signal ** 2 - sums.signalFourths;
  }
  return scale > 0 ? Math.min(Math.max(excess / scale, 0), 1) : 0;
}
