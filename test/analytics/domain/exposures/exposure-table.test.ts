import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { charmTable, vannaTable } from '#src/analytics/domain/exposures/exposure-table.ts';
import { EXPOSURE_TABLE } from '#src/analytics/domain/exposures/exposure-table-schema.ts';
import { exposureCoefficients, exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { type DealerPositions, estimate } from '#src/analytics/domain/positions/dealer-positions.ts';
import { priorPositions } from '#src/analytics/domain/positions/positions-prior.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';
import { fixtureBook } from '#test/analytics/oracle.ts';

/** A book’s own positions, known exactly. */
const bookPositions = (book: Book): DealerPositions => ({ ...staticPositions(book), mean: book.position });

test('both tables sum to the exposure of the book, over strikes as over expiries, and fit the schema', () => {
  fc.assert(
    fc.property(anyBook, (book) => {
      const sums = exposures(book);
      for (const [table, whole] of [
        [vannaTable(book, bookPositions(book)), sums.vex],
        [charmTable(book, bookPositions(book)), sums.cex],
      ] as const) {
        expect([...Value.Errors(EXPOSURE_TABLE, table)]).toEqual([]);
        // The drift of ln S rounds at seconds from settlement, where gamma has grown without bound.
        const room = 1e-8 * (table.gross + sums.gexAbs + 1);
        expect(Math.abs(table.net - whole)).toBeLessThan(room);
        for (const rows of [table.by_strike, table.by_expiry]) {
          const total = (pick: 'net' | 'calls' | 'puts' | 'gross') => rows.reduce((sum, row) => sum + row[pick], 0);
          expect(Math.abs(total('net') - table.net)).toBeLessThan(room);
          expect(Math.abs(total('calls') + total('puts') - table.net)).toBeLessThan(room);
          expect(Math.abs(total('gross') - table.gross)).toBeLessThan(room);
          expect(rows.every((row) => row.gross >= Math.abs(row.net) - room)).toBe(true);
        }
      }
    }),
  );
});

test('each row’s error is that of its contracts alone; generation 1 states none', () => {
  const book = fixtureBook();
  const coefficients = exposureCoefficients(book);
  const delta = coefficients.dex.map((value) => value / (book.multiplier * book.spot));
  const positions = priorPositions(book, { kind: 'index', delta });
  const table = vannaTable(book, positions, coefficients);
  for (const { strike, net, sd, p_positive } of table.by_strike) {
    const only = estimate(
      positions,
      coefficients.vex.map((c, i) => (book.strike[i] === strike ? c : 0)),
    );
    expect(Math.abs(net - only.value)).toBeLessThan(1e-9 * (table.gross + 1));
    expect(sd! / only.sd!).toBeCloseTo(1, 9);
    expect(p_positive).toBeCloseTo(only.p_positive!, 9);
  }
  for (const [e, { label }] of book.expiries.entries()) {
    const only = estimate(
      positions,
      coefficients.vex.map((c, i) => (book.expiry[i] === e ? c : 0)),
    );
    expect(table.by_expiry.find(({ expiry }) => expiry === label)!.sd! / only.sd!).toBeCloseTo(1, 9);
  }
  for (const row of charmTable(book, staticPositions(book)).by_expiry)
    expect([row.sd, row.p_positive]).toEqual([null, null]);
});
