import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { charmTable, vannaTable } from '#src/analytics/domain/exposure-table.ts';
import { EXPOSURE_TABLE } from '#src/analytics/domain/exposure-table-schema.ts';
import { exposures } from '#src/analytics/domain/exposures.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';

test('both tables sum to the exposure of the book, over strikes as over expiries, and fit the schema', () => {
  fc.assert(
    fc.property(anyBook, (book) => {
      const sums = exposures(book);
      for (const [table, whole] of [
        [vannaTable(book), sums.vex],
        [charmTable(book), sums.cex],
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
