import fc from 'fast-check';
import { type Book, emptyBook } from '#src/analytics/domain/book/book.ts';
import { books } from '#test/analytics/random-book.ts';

const without = (book: Book): Book => ({ ...book, position: new Float64Array(book.contracts) });

/** Dealers long and short the same contracts: no net gamma anywhere, and gross gamma everywhere. */
function cancelled(book: Book): Book {
  const twice = emptyBook(book, 2 * book.contracts);
  for (const name of ['expiry', 'strike', 'isCall', 'volatility', 'openInterest', 'position'] as const) {
    twice[name].set(book[name], 0);
    twice[name].set(book[name], book.contracts);
  }
  for (let i = book.contracts; i < twice.contracts; i++) twice.position[i] = -book.position[i - book.contracts]!;
  return twice;
}

/** All settle within seconds to a minute: within any horizon. */
const expiring = (book: Book): Book => ({
  ...book,
  expiries: book.expiries.map((expiry, e) => ({ ...expiry, years: 1e-8 * (1 + 100 * e) })),
});

/** Random books, and the same without positions, without net gamma, without rows, or about to settle. */
export const anyBook: fc.Arbitrary<Book> = fc.tuple(books, fc.integer({ min: 0, max: 5 })).map(([book, kind]) => {
  if (kind === 0) return without(book);
  if (kind === 1) return cancelled(book);
  if (kind === 2) return expiring(book);
  return kind === 3 ? emptyBook(book, 0) : book;
});

/** Skews by expiry, as an index has them. */
export const slopes: fc.Arbitrary<Float64Array> = fc
  .array(fc.double({ min: -0.6, max: 0.3, noNaN: true }), { minLength: 3, maxLength: 3 })
  .map((values) => Float64Array.from(values));
