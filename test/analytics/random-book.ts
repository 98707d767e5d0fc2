import fc from 'fast-check';
import { type Book, emptyBook, staticPosition } from '#src/analytics/domain/book/book.ts';

const contract = fc.record({
  steps: fc.integer({ min: -12, max: 12 }),
  isCall: fc.boolean(),
  volatility: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
  openInterest: fc.integer({ min: 0, max: 5000 }),
  expiry: fc.integer({ min: 0, max: 2 }),
});

/** Books of up to forty contracts over three expiries, from hours to a year away, static positions. */
export const books: fc.Arbitrary<Book> = fc
  .record({
    rows: fc.array(contract, { minLength: 1, maxLength: 40 }),
    rate: fc.double({ min: -0.01, max: 0.08, noNaN: true }),
    dividend: fc.double({ min: 0, max: 0.04, noNaN: true }),
    first: fc.double({ min: 0.0008, max: 0.004, noNaN: true }),
  })
  .map(({ rows, rate, dividend, first }) => {
    const expiries = [first, 0.08, 1].map((years, e) => ({ label: `E${e}`, years, rate, dividend }));
    const book = emptyBook({ spot: 1000, multiplier: 100, expiries }, rows.length);
    for (const [i, row] of rows.entries()) {
      book.strike[i] = 1000 + 10 * row.steps;
      book.isCall[i] = row.isCall ? 1 : 0;
      book.volatility[i] = row.volatility;
      book.openInterest[i] = row.openInterest;
      book.position[i] = staticPosition(row.isCall, row.openInterest);
      book.expiry[i] = row.expiry;
    }
    return book;
  });
