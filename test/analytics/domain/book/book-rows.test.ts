import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { deltaShares } from '#src/analytics/domain/exposures/delta-sums.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import { smileProfile } from '#src/analytics/domain/levels/smile-scan.ts';
import { books } from '#test/analytics/random-book.ts';

test.each([false, true])('the sums over rows are the exposures of the book, blended near expiry: %o', (blended) => {
  fc.assert(
    fc.property(books, fc.double({ min: 0.9, max: 1.1, noNaN: true }), (random, move) => {
      const book = { ...random, blended };
      const rows = bookRows(book);
      const spot = move * book.spot;
      const whole = exposures(book, spot);
      const { gex, gexAbs, vannaDrag } = gammaSums(rows, { spot, slopes: new Float64Array(3).fill(1) });
      const room = 1e-9 * (whole.gexAbs + 1);
      expect(Math.abs(gex - whole.gex)).toBeLessThan(room);
      expect(Math.abs(gexAbs - whole.gexAbs)).toBeLessThan(room);
      expect(Math.abs(vannaDrag - whole.vex)).toBeLessThan(room + 1e-9 * Math.abs(whole.vex));
      const size = rows.gross.reduce((sum, shares) => sum + shares, 1);
      expect(Math.abs(deltaShares(rows, { spot }) - whole.dex / spot)).toBeLessThan(1e-9 * size);
    }),
  );
});

test('the moving profile of a blended book is its exposure at each spot', () => {
  fc.assert(
    fc.property(books, (random) => {
      const book = { ...random, blended: true };
      const { spots, gex } = smileProfile(book, new Float64Array(3), 7);
      const size = exposures(book).gexAbs + 1;
      for (const [j, spot] of spots.entries()) {
        const whole = exposures(book, spot);
        expect(Math.abs(gex[j]! - whole.gex)).toBeLessThan(1e-9 * whole.gexAbs + 1e-10 * size);
      }
    }),
    { numRuns: 40 },
  );
});
