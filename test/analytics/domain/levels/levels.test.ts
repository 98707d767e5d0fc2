import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { allLevels } from '#src/analytics/domain/levels/levels.ts';
import { ALL_LEVELS } from '#src/analytics/domain/levels/levels-schema.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';
import { fixtureBook } from '#test/analytics/oracle.ts';

const asOf = Date.parse('2026-11-20T09:00:00Z');
const of = (book: Book, flip: number | null = 5990, at = asOf) =>
  allLevels({ book, gexByContract: exposures(book).gexByContract, flip, asOf: at });

test('the pin is the strike of today with the most gross gamma within half an expected move', () => {
  const found = of(fixtureBook());
  expect([found.pin_strike, found.pin_status]).toEqual([6000, 'ok']);
  const between = { ...fixtureBook(), spot: 6050 };
  expect([of(between).pin_strike, of(between).pin_status]).toEqual([null, 'no_strike_in_range']);
  expect(of(fixtureBook(), 5990, asOf + 6e7).pin_status).toBe('no_zero_dte');
});

test('today’s gamma alone decides the pin, not that of the month', () => {
  const book = { ...fixtureBook(), spot: 5950 };
  const volatility = book.volatility.map(() => 0.6);
  const position = book.position.map((n, i) => {
    const isToday = book.expiry[i] === 0;
    if (book.strike[i] === 5900) return isToday ? 1 : 1e6;
    return isToday && book.strike[i] === 6000 ? 1000 : n;
  });
  const found = of({ ...book, volatility, position });
  expect([found.pin_strike, found.abs_gamma]).toEqual([6000, 5900]);
});

test('the trigger is the flip by another name, and max pain comes by settlement', () => {
  const found = of(fixtureBook(), 5991.5);
  expect(found.vol_trigger).toEqual({ level: 5991.5, alias_of: 'flip' });
  expect(found.flip).toBe(5991.5);
  expect(found.expected_range_1d?.upper).toBeCloseTo(6000 + found.expected_move_1d!, 9);
  expect(found.max_pain.map(({ expiry }) => expiry)).toEqual(['E0', 'E1', 'E2']);
  expect(of(fixtureBook(), null).vol_trigger.level).toBeNull();
});

test('a wall is where dealers are most long calls or most short puts, never where they are most the opposite', () => {
  const book = fixtureBook();
  const signed = (sign: (strike: number) => number) => ({
    ...book,
    position: book.openInterest.map((interest, i) => (book.isCall[i] ? 1 : -1) * sign(book.strike[i]!) * interest),
  });
  const convention = of(book);
  expect(of(signed(() => 1))).toMatchObject({ call_wall: convention.call_wall, put_wall: convention.put_wall });
  // the same gamma with the opposite sign at the walls of the convention
  const turned = of(signed((strike) => (strike === convention.call_wall || strike === convention.put_wall ? -1 : 1)));
  expect(turned.call_wall).not.toBe(convention.call_wall);
  expect(turned.put_wall).not.toBe(convention.put_wall);
  expect(turned.abs_gamma).toBe(convention.abs_gamma);
  expect(of(signed(() => -1))).toMatchObject({ call_wall: null, put_wall: null });
});

test('levels of any book fit the schema', () => {
  fc.assert(
    fc.property(anyBook, fc.constantFrom(null, 1000), (book, flip) => {
      const found = of(book, flip);
      expect([...Value.Errors(ALL_LEVELS, found)]).toEqual([]);
      expect((found.call_wall ?? book.spot) >= book.spot && (found.put_wall ?? book.spot) <= book.spot).toBe(true);
      expect(found.pin_status === 'ok').toBe(found.pin_strike !== null);
    }),
  );
});
