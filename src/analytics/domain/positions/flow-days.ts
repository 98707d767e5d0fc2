import { settlementInstant } from '#src/analytics/domain/calendar/time.ts';
import { osiSeries, parseOsiSeries } from '#src/analytics/domain/chain/osi-symbol.ts';
import { markets } from '#src/analytics/domain/chain/symbols.ts';
import { type FlowContract, type FlowState, type FlowSums, flowMoments, noFlow, unseenContract } from './flow-state.ts';

/** The morning of a trading day, before its first trade. */
export interface FlowDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Epoch milliseconds: what settled until then is retired. */
  readonly at: number;
  /** By OSI symbol, at the settlement before; a contract without any may be left out. */
  readonly openInterest: ReadonlyMap<string, number>;
}

/** The state with which a tape begins: every contract that has open interest has a past that is not known. */
export function openFlow({ date, openInterest }: FlowDay): FlowState {
  const contracts: Record<string, FlowContract> = {};
  for (const [symbol, interest] of openInterest) if (interest > 0) contracts[symbol] = unseenContract(interest);
  return { version: 1, date, since: date, contracts };
}

/**
 * The state on the next morning. Contracts that settled are retired; the rest are carried, within their open
 * interest, of which that older than the tape is at most what has been left of it on every morning since.
 *
 * `previousDate` is the trading day before `date`. Where the state is of another day, the tape has a gap: inventory is
 * carried as the best guess, and all open interest counts as unseen again.
 */
export function startFlowDay(state: FlowState, day: FlowDay & { readonly previousDate: string }): FlowState {
  const continuous = state.date === day.previousDate;
  const settled = settledBy(day.at);
  const contracts: Record<string, FlowContract> = {};
  for (const [symbol, contract] of Object.entries(state.contracts)) {
    if (settled(symbol)) continue;
    const carried = carry(contract, day.openInterest.get(symbol) ?? 0, continuous);
    if (carried !== null) contracts[symbol] = carried;
  }
  for (const [symbol, interest] of day.openInterest) {
    if (interest === 0 || symbol in contracts || settled(symbol)) continue;
    // Interest of a contract that had none the day before arose under the tape's eyes, even where no trade was caught.
    contracts[symbol] = { ...unseenContract(interest), unseen: continuous ? 0 : interest };
  }
  return { version: 1, date: day.date, since: continuous ? state.since : day.date, contracts };
}

/** Null where nothing is left to remember. */
function carry(contract: FlowContract, interest: number, continuous: boolean): FlowContract | null {
  if (interest === 0 && contract.today.volume === 0) return null;
  return {
    ...contract,
    sums: fit(contract.sums, interest),
    unseen: continuous ? Math.min(contract.unseen, interest) : interest,
    openInterest: interest,
    previousOpenInterest: continuous ? contract.openInterest : interest,
    today: noFlow,
    yesterday: continuous ? contract.today : noFlow,
  };
}

/**
 * As if the same part of every trade had been closed again, so much that neither the inventory nor its error exceeds
 * the open interest. What is within it stays as it is.
 */
function fit(sums: FlowSums, interest: number): FlowSums {
  const { mean, variance } = flowMoments(sums, 0);
  const part = Math.min(interest / Math.max(Math.abs(mean), Math.sqrt(variance)), 1);
  if (!(part < 1)) return sums;
  return {
    net: sums.net * part,
    volume: sums.volume * part,
    squares: sums.squares * part * part,
    signal: sums.signal * part,
    signalSquares: sums.signalSquares * part * part,
    signalFourths: sums.signalFourths * part * part,
  };
}

const settlements = new Map(Object.values(markets).flatMap(({ roots }) => Object.entries(roots)));

/**
 * Returns a function that checks whether a contract has settled by then. The calendar is read once a series; an unknown
 * root settles at the close.
 */
function settledBy(at: number): (symbol: string) => boolean {
  const known = new Map<string, boolean>();
  return (symbol) =>
    known.getOrInsertComputed(osiSeries(symbol), (name) => {
      const series = parseOsiSeries(name);
      return series !== null && settlementInstant(series.date, settlements.get(series.root) ?? 'pm') <= at;
    });
}
