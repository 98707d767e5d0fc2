import { type Book, staticPosition } from '#src/analytics/domain/book/book.ts';
import type { DealerPositions } from './dealer-positions.ts';

/**
 * Generation 1: dealers are long every call and short every put of the open interest. A convention of the field, not a
 * measurement: it states no error, and what follows from it must be shown beside gross gamma, which bounds it.
 */
export function staticPositions(book: Book): DealerPositions {
  const { contracts, isCall, openInterest } = book;
  const mean = new Float64Array(contracts);
  let total = 0;
  for (let i = 0; i < contracts; i++) {
    mean[i] = staticPosition(isCall[i] === 1, openInterest[i]!);
    total += openInterest[i]!;
  }
  return {
    generation: 1,
    mean,
    bucket: new Uint16Array(contracts),
    loading: new Float64Array(contracts),
    variance: new Float64Array(contracts),
    coverage: total > 0 ? 1 : null,
    censoredShare: null,
  };
}
