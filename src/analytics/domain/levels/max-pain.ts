import type { Book } from '#src/analytics/domain/book/book.ts';

/**
 * Per expiry the listed strike at which the holders of all open interest would be paid least; null where an expiry has
 * no open interest. One sweep over ascending strikes, ties to the lowest.
 */
export function maxPain(book: Book): (number | null)[] {
  return rowsByExpiry(book).map((rows) => expiryMaxPain(book, rows));
}

function rowsByExpiry(book: Book): number[][] {
  const rows: number[][] = book.expiries.map(() => []);
  for (let i = 0; i < book.contracts; i++) rows[book.expiry[i]!]!.push(i);
  return rows;
}

function expiryMaxPain(book: Book, rows: readonly number[]): number | null {
  const sorted = rows.toSorted((a, b) => book.strike[a]! - book.strike[b]!);
  let putStrikes = 0;
  let putsAbove = 0;
  for (const i of sorted) {
    if (book.isCall[i] === 1) continue;
    putsAbove += book.openInterest[i]!;
    putStrikes += book.openInterest[i]! * book.strike[i]!;
  }
  let callsBelow = 0;
  let callStrikes = 0;
  let best: number | null = null;
  let least = Infinity;
  for (const i of sorted) {
    const strike = book.strike[i]!;
    const interest = book.openInterest[i]!;
    // A row at its own strike pays nothing, so adding or removing it first changes no sum.
    if (book.isCall[i] === 1) {
      callsBelow += interest;
      callStrikes += interest * strike;
    } else {
      putsAbove -= interest;
      putStrikes -= interest * strike;
    }
    const paid = callsBelow * strike - callStrikes + putStrikes - putsAbove * strike;
    if (paid < least) {
      least = paid;
      best = strike;
    }
  }
  return callsBelow + sorted.reduce((sum, i) => sum + book.openInterest[i]!, 0) > 0 ? best : null;
}
