import type { Book } from '#src/analytics/domain/book/book.ts';
import type { MarketRow } from '#src/analytics/domain/chain/symbols.ts';

/** Share of open interest dealers hold, −1 (short all of it) to 1, by tenor (rows) and |delta| (columns). */
type Shares = readonly (readonly number[])[];

/** A versioned belief of who holds what: replace it as a whole, and give the new one another version. */
export interface PriorTable {
  readonly version: string;
  /** Upper ends of the |delta| columns; the last column has none. */
  readonly deltaEdges: readonly number[];
  /** Upper ends of the tenor rows in calendar days; the last row has none. */
  readonly tenorEdges: readonly number[];
  /** Standard deviation of a share, common to all contracts of its bucket. */
  readonly sd: number;
  readonly shares: Readonly<Record<MarketRow['kind'], { readonly call: Shares; readonly put: Shares }>>;
}

const puts: Shares = [
  [-0.12, -0.12, -0.12, -0.03],
  [-0.8, -0.8, -0.8, -0.2],
  [-0.8, -0.8, -0.8, -0.2],
  [-0.8, -0.8, -0.8, -0.2],
];

const calls: Shares = [
  [0.0825, 0.0825, 0.0825, 0.020625],
  [0.55, 0.55, 0.55, 0.1375],
  [0.55, 0.55, 0.55, 0.1375],
  [0.55, 0.55, 0.55, 0.1375],
];

/**
 * The starter table (analytics.md 1.4): out-of-the-money puts −0.80, calls +0.55, a quarter of it in the money, 15 % of
 * it on the last day, where market makers' inventory is small (Dim, Eraker and Vilkov, "0DTEs: Trading, Gamma Risk and
 * Volatility Propagation"). Calls of a fund below |delta| 0.1 and within seven days are lottery tickets that customers
 * buy: −0.30, on the last day too. For funds nothing else is published, so the rest is the index's.
 */
export const starterPrior: PriorTable = {
  version: '2026-11-21',
  deltaEdges: [0.1, 0.25, 0.5],
  tenorEdges: [1, 7, 45],
  sd: 0.25,
  shares: {
    index: { call: calls, put: puts },
    etf: {
      call: [[-0.3, 0.0825, 0.0825, 0.020625], [-0.3, 0.55, 0.55, 0.1375], ...calls.slice(2)],
      put: puts,
    },
  },
};

/** The bucket of each row of a book, and the share that the table gives it. */
export interface PriorRows {
  readonly bucket: Uint16Array;
  readonly share: Float64Array;
}

/**
 * Looks each row up by type, |delta| and tenor. `delta` is the delta of one contract per row, −1 to 1. A bucket is the
 * same number in every book priced with the same table, so errors may be followed from day to day.
 */
export function priorRows(book: Book, delta: Float64Array, kind: MarketRow['kind'], table = starterPrior): PriorRows {
  const columns = table.deltaEdges.length + 1;
  const tenor = book.expiries.map(({ years }) => place(table.tenorEdges, years * 365));
  const bucket = new Uint16Array(book.contracts);
  const share = new Float64Array(book.contracts);
  for (let i = 0; i < book.contracts; i++) {
    const row = tenor[book.expiry[i]!]!;
    const column = place(table.deltaEdges, Math.abs(delta[i]!));
    const isCall = book.isCall[i]!;
    bucket[i] = (row * columns + column) * 2 + isCall;
    share[i] = table.shares[kind][isCall === 1 ? 'call' : 'put'][row]![column]!;
  }
  return { bucket, share };
}

function place(edges: readonly number[], value: number): number {
  const found = edges.findIndex((edge) => value < edge);
  return found < 0 ? edges.length : found;
}
