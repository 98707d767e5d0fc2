import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { tradingHours } from '#src/analytics/domain/calendar/horizons.ts';
import { type VcmInput, vannaCharmSignal } from '#src/analytics/domain/hedging/vcm.ts';
import { VCM } from '#src/analytics/domain/hedging/vcm-schema.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';
import { metricCase } from '#test/analytics/metric-oracle.ts';
import { fixtureBook, missBy } from '#test/analytics/oracle.ts';

const input: VcmInput = {
  book: fixtureBook(),
  advUsd: 400e9,
  horizon: tradingHours(3),
  atmVolatility: 0.15,
  realisedVolatility: 0.11,
};

test('the signal of the fixture over three hours with volatility falling 0.2 points is that of the definition', () => {
  const found = vannaCharmSignal({ ...input, expectedVolPoints: -0.2 });
  const charm = metricCase('charm_flow_3h');
  expect(missBy(found.charm_flow_usd, charm.expected, charm)).toBeLessThanOrEqual(1);
  expect(missBy(found.vcm ?? 0, metricCase('vcm').expected, metricCase('vcm'))).toBeLessThanOrEqual(1);
  expect([found.agreement, found.state]).toEqual([1, 'quiet']);
});

test('implied volatility is expected to close half of its gap to realised in five days', () => {
  const days = (count: number) => vannaCharmSignal({ ...input, horizon: { years: count / 365, sessions: count } });
  expect(days(5).expected_vol_points).toBeCloseTo(-2, 12);
  expect(days(10).expected_vol_points).toBeCloseTo(-3, 12);
  expect(vannaCharmSignal({ ...input, realisedVolatility: null })).toMatchObject({
    status: 'no_volatility',
    vcm: null,
    state: null,
  });
});

test('flows of one direction align, of opposite directions conflict', () => {
  const at = (expectedVolPoints: number) => vannaCharmSignal({ ...input, advUsd: 1e10, expectedVolPoints }).state;
  expect([at(-0.5), at(0.2)]).toEqual(['aligned_bid', 'conflict']);
  const opposite = { ...input.book, position: input.book.position.map((n) => -n) };
  expect(vannaCharmSignal({ ...input, book: opposite, advUsd: 1e10, expectedVolPoints: -0.5 }).state).toBe(
    'aligned_offer',
  );
});

test('one flow alone is neither aligned nor in conflict', () => {
  const found = vannaCharmSignal({ ...input, advUsd: 1e8, expectedVolPoints: 0 });
  expect(Math.abs(found.vcm!)).toBeGreaterThan(0.1);
  expect(found).toMatchObject({ status: 'ok', agreement: 0, state: null });
});

test('the signal stays within -1 and 1 and fits its schema on any book', () => {
  const hours = fc.constantFrom(0, 0.5, 3, 24, 9000);
  fc.assert(
    fc.property(anyBook, hours, fc.constantFrom(0, 1, 1e11), fc.constantFrom(null, 0.2), (book, h, advUsd, atm) => {
      const found = vannaCharmSignal({ ...input, book, horizon: tradingHours(h), advUsd, atmVolatility: atm });
      expect([...Value.Errors(VCM, found)]).toEqual([]);
      expect(Math.abs(found.vcm ?? 0)).toBeLessThanOrEqual(1);
      expect(found.status === 'ok').toBe(found.vcm !== null);
    }),
  );
});
