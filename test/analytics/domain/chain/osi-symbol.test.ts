import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newYorkDate, settlementInstant, yearsBetween } from '#src/analytics/domain/calendar/time.ts';
import { formatOsiSymbol, parseOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';

test('a symbol is root, day, side and strike in thousandths', () => {
  expect(parseOsiSymbol('SPXW261120C06000000')).toEqual({
    root: 'SPXW',
    date: '2026-11-20',
    isCall: true,
    strike: 6000,
  });
  expect(parseOsiSymbol('SPY   230915P00447500')).toEqual({
    root: 'SPY',
    date: '2023-09-15',
    isCall: false,
    strike: 447.5,
  });
});

test('what is not a symbol is null: other lengths, sides, days that do not exist, no strike', () => {
  for (const text of [
    '',
    'SPXW',
    'SPXW261120X06000000',
    'SPXW261131C06000000',
    'SPXW260229C06000000',
    'SPXW261320C06000000',
    'SPXW261120C00000000',
    'SPXW261120C0600000a',
    'SPXW2611 0C06000000',
    'spxw261120C06000000',
    'TOOLONGROOT261120C06000000',
    '261120C06000000',
  ]) {
    expect(parseOsiSymbol(text), text).toBeNull();
  }
  expect(parseOsiSymbol('SPXW280229C06000000')?.date).toBe('2028-02-29');
});

test('formatting and reading a symbol are inverse', () => {
  const strikes = fc.integer({ min: 1, max: 99_999_999 }).map((thousandths) => thousandths / 1000);
  fc.assert(
    fc.property(fc.constantFrom('SPX', 'SPXW', 'NDXP', 'X'), fc.boolean(), strikes, (root, isCall, strike) => {
      const contract = { root, date: '2027-03-19', isCall, strike };
      expect(parseOsiSymbol(formatOsiSymbol(contract))).toEqual(contract);
    }),
  );
});

test('settlement is 09:30 or 16:00 in New York on both sides of daylight saving', () => {
  expect(new Date(settlementInstant('2026-03-06', 'pm')).toISOString()).toBe('2026-03-06T21:00:00.000Z');
  expect(new Date(settlementInstant('2026-03-09', 'pm')).toISOString()).toBe('2026-03-09T20:00:00.000Z');
  expect(new Date(settlementInstant('2026-11-20', 'am')).toISOString()).toBe('2026-11-20T14:30:00.000Z');
  expect(new Date(settlementInstant('2026-10-16', 'am')).toISOString()).toBe('2026-10-16T13:30:00.000Z');
});

test('a week over the end of daylight saving is seven days and one hour', () => {
  const from = settlementInstant('2026-10-30', 'pm');
  expect(yearsBetween(from, settlementInstant('2026-11-06', 'pm'))).toBeCloseTo((7 + 1 / 24) / 365, 15);
  expect(newYorkDate(Date.parse('2026-11-21T04:59:00Z'))).toBe('2026-11-20');
});
