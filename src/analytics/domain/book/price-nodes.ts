import type { Book } from './book.ts';

/** Evenly spaced prices around spot, one strike spacing apart. */
export interface PriceNodes {
  readonly low: number;
  readonly step: number;
  readonly count: number;
}

/** Strikes within this part of spot make the nodes; their spacing is taken within half of it. */
const REACH = 0.1;

/** Nodes over a book's strikes within ±10 % of spot, at the median spacing of those within ±5 %; null under two. */
export function priceNodes({ strike, spot }: Pick<Book, 'strike' | 'spot'>): PriceNodes | null {
  const strikes = strike.toSorted().filter((level, i, sorted) => level !== sorted[i - 1]);
  const near = strikes.filter((level) => Math.abs(level / spot - 1) <= REACH);
  const close = near.filter((level) => Math.abs(level / spot - 1) <= REACH / 2);
  const some = close.length > 1 ? close : near;
  const gaps = some.slice(1).map((level, i) => level - some[i]!);
  const step = gaps.toSorted()[Math.floor(gaps.length / 2)];
  const low = near[0];
  const high = near.at(-1);
  if (step === undefined || low === undefined || high === undefined) return null;
  return { low, step, count: Math.round((high - low) / step) + 1 };
}

/** The node nearest to a price; −1 where that is more than half a step beyond the ends. */
export function nodeOf({ low, step, count }: PriceNodes, price: number): number {
  const node = Math.round((price - low) / step);
  return node >= 0 && node < count ? node : -1;
}

/** Gathers amounts at the node nearest to their price; what lies outside is left out. */
export function gatherNodes(nodes: PriceNodes, items: Iterable<readonly [price: number, amount: number]>) {
  const amounts = new Float64Array(nodes.count);
  for (const [price, amount] of items) {
    const node = nodeOf(nodes, price);
    if (node >= 0) amounts[node]! += amount;
  }
  return amounts;
}
