import type { Book } from '#src/analytics/domain/book/book.ts';
import { formatOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';
import { clipNormal } from '#src/analytics/domain/statistics/clip-normal.ts';
import type { DealerPositions } from './dealer-positions.ts';
import { type FlowState, flowMoments, flowOneSidedness, unseenContract } from './flow-state.ts';
import type { ReconciledFlow } from './positions-prior.ts';

export interface FlowOptions {
  /** OSI symbol of each row of the book; null where it has none. */
  readonly symbols: readonly (string | null)[];
  /** Rows of one bucket are taken to have been wrong together before the tape began; as in generation 2. */
  readonly bucket: Uint16Array;
  /** Variance of customers' one-sidedness over contracts; the tape's own by default, 0 for the bare definition. */
  readonly oneSidedness?: number;
}

/**
 * Generation 3: the inventory that signed trades have left with the dealers.
 *
 * What was held before the tape began is unknown: between short and long all of the unseen open interest, so it adds
 * u²/3 of variance (uniform), common to its bucket because what customers do, they do in many strikes at once. The sum
 * is clipped to ±(open interest + today's volume), which no position exceeds before the next settlement is published.
 * A contract that expires today is no other case: it begins at 0 unless carried, and what is unseen of it is its
 * morning's open interest.
 */
export function flowPositions(book: Book, state: FlowState, options: FlowOptions): DealerPositions {
  const { symbols, bucket, oneSidedness = flowOneSidedness(state) } = options;
  const { contracts, openInterest } = book;
  const mean = new Float64Array(contracts);
  const loading = new Float64Array(contracts);
  const variance = new Float64Array(contracts);
  let [total, unseenTotal, censored] = [0, 0, 0];
  for (let i = 0; i < contracts; i++) {
    const interest = openInterest[i]!;
    const symbol = symbols[i];
    const known = (symbol ? state.contracts[symbol] : undefined) ?? unseenContract(interest);
    const unseen = Math.min(known.unseen, interest);
    const common = (unseen * unseen) / 3;
    const change = flowMoments(known.sums, oneSidedness);
    const all = change.variance + common;
    const clipped = clipNormal(change.mean, all, interest + known.today.volume);
    const kept = all > 0 ? clipped.variance / all : 0;
    mean[i] = clipped.mean;
    loading[i] = Math.sqrt(common * kept);
    variance[i] = change.variance * kept;
    total += interest;
    unseenTotal += unseen;
    if (unseen > 0) censored += interest;
  }
  return {
    generation: 3,
    mean,
    bucket,
    loading,
    variance,
    coverage: total > 0 ? 1 - unseenTotal / total : null,
    censoredShare: total > 0 ? censored / total : null,
  };
}

/** Variance of a position between −1 and 1 of which nothing else is known. */
const IGNORANCE = clipNormal(0, 1 / 3, 1).variance;

/** Data of the day so far that generation 2 and the ensemble need, per row. */
export interface FlowFrame {
  /** Contracts traded today. */
  readonly volume: Float64Array;
  /** Variance generation 3 would have of the row had it seen nothing at all, contracts². */
  readonly ignorance: Float64Array;
}

/** Today's volume on the tape, and what is known of a row from its bound alone. */
export function flowFrame(book: Book, state: FlowState, symbols: readonly (string | null)[]): FlowFrame {
  const volume = Float64Array.from(symbols, (symbol) => state.contracts[symbol ?? '']?.today.volume ?? 0);
  const ignorance = volume.map((traded, i) => IGNORANCE * (book.openInterest[i]! + traded) ** 2);
  return { volume, ignorance };
}

/**
 * Reads what generation 2 takes from the day before: the dealers' net share of each contract's volume, and its error.
 */
export function reconciledFlow(book: Book, state: FlowState, symbols: readonly (string | null)[]): ReconciledFlow {
  const flow = {
    previousOpenInterest: book.openInterest.slice(),
    netShare: new Float64Array(book.contracts),
    netShareSd: new Float64Array(book.contracts),
  };
  for (const [i, symbol] of symbols.entries()) {
    const known = state.contracts[symbol ?? ''];
    if (!known) continue;
    const { volume, net, variance } = known.yesterday;
    flow.previousOpenInterest[i] = known.previousOpenInterest;
    // Without a trade caught, the change is of unknown side: any share between −1 and 1.
    flow.netShare[i] = volume > 0 ? net / volume : 0;
    flow.netShareSd[i] = volume > 0 ? Math.sqrt(variance) / volume : Math.sqrt(1 / 3);
  }
  return flow;
}

/** The OSI symbol of each row, from labels such as `SPXW 2026-11-20`; null where a label is of another form. */
export function bookSymbols(book: Book): (string | null)[] {
  const series = book.expiries.map(({ label }) => /^([A-Z][A-Z0-9]{0,5}) (\d{4}-\d{2}-\d{2})$/.exec(label));
  return Array.from(book.strike, (strike, i) => {
    const found = series[book.expiry[i]!];
    if (!found) return null;
    return formatOsiSymbol({ root: found[1]!, date: found[2]!, isCall: book.isCall[i] === 1, strike });
  });
}
