import type { Book } from '#src/analytics/domain/book/book.ts';
import type { MarketRow } from '#src/analytics/domain/chain/symbols.ts';
import type { DealerPositions } from './dealer-positions.ts';
import { type PriorTable, priorRows, starterPrior } from './prior-table.ts';

/** Flow that a day's trades and the two settlements around it imply, per row of the book. */
export interface ReconciledFlow {
  /** Open interest one settlement before the book's. */
  readonly previousOpenInterest: Float64Array;
  /** Dealers' net share of the day's volume, −1 (sold all of it) to 1; 0 where nothing traded. */
  readonly netShare: Float64Array;
  /** Standard deviation of that share. */
  readonly netShareSd: Float64Array;
}

export interface PriorOptions {
  readonly kind: MarketRow['kind'];
  /** Delta of one contract per row, −1 to 1. */
  readonly delta: Float64Array;
  readonly table?: PriorTable;
  readonly flow?: ReconciledFlow;
  /** Contracts traded since the settlement that open interest is of, per row: they too may be the dealers' or not. */
  readonly volume?: Float64Array;
}

/**
 * Generation 2: the share of open interest that dealers hold, from a table by type, |delta| and tenor. The error of a
 * share is common to its bucket, so it does not average out over contracts.
 *
 * With a day's flow: n = share·(open interest before) + |ΔOI|·(net share of the day), clipped to the open interest.
 * The published form has ΔOI with its sign; but dealers who buy raise their inventory, whether that opens or closes
 * interest, so the sign belongs to the net share alone.
 *
 * Volume since the settlement widens the error by the table's sd of it and moves nothing: whose it is, only signed
 * trades tell.
 */
export function priorPositions(book: Book, options: PriorOptions): DealerPositions {
  const { kind, delta, table = starterPrior, flow, volume } = options;
  const { contracts, openInterest } = book;
  const { bucket, share } = priorRows(book, delta, kind, table);
  const mean = new Float64Array(contracts);
  const loading = new Float64Array(contracts);
  const variance = new Float64Array(contracts);
  let total = 0;
  for (let i = 0; i < contracts; i++) {
    const interest = openInterest[i]!;
    const before = flow ? flow.previousOpenInterest[i]! : interest;
    const change = flow ? Math.abs(interest - before) : 0;
    const moved = flow ? change * flow.netShare[i]! : 0;
    // What was closed since is no longer held by anyone: the prior speaks of the rest.
    const kept = Math.min(before, interest);
    mean[i] = Math.min(Math.max(share[i]! * before + moved, -interest), interest);
    loading[i] = table.sd * (kept + (volume?.[i] ?? 0));
    variance[i] = flow ? (change * flow.netShareSd[i]!) ** 2 : 0;
    total += interest;
  }
  return {
    generation: 2,
    mean,
    bucket,
    loading,
    variance,
    coverage: total > 0 ? 1 : null,
    censoredShare: null,
  };
}
