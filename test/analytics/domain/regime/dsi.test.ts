import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { dealerStability, dsiOf } from '#src/analytics/domain/regime/dsi.ts';
import { DSI } from '#src/analytics/domain/regime/dsi-schema.ts';
import { skewStickiness } from '#src/analytics/domain/regime/skew-stickiness.ts';
import { anyBook, slopes as anySlopes } from '#test/analytics/degenerate-books.ts';
import { fixtureSkew, fixtureSsr, fixtureVolatility, metricCase } from '#test/analytics/metric-oracle.ts';
import { fixtureBook, missBy } from '#test/analytics/oracle.ts';

const book = fixtureBook();
const slopes = volatilitySlopes(book, { regime: 'ssr', ssr: fixtureSsr, skewAt: fixtureSkew });
const stickiness = skewStickiness([]);
const input = { book, stickiness, slopes, atmVolatility: fixtureVolatility, advUsd: 400e9 };

test('the index of the fixture is that of the definition, and without skew is that of gamma alone', () => {
  const found = dealerStability(input);
  expect(missBy(found.dsi ?? 0, metricCase('dsi').expected, metricCase('dsi'))).toBeLessThanOrEqual(1);
  expect(dealerStability({ ...input, slopes: new Float64Array(3) }).dsi).toBe(found.dsi_gamma_only);
});

test('the band holds the index and is the normal interval of the coefficient', () => {
  const { band, dsi, raw_share } = dealerStability({ ...input, shadowGexSd: 1e9 });
  const spread = (1.2815515655446004 * 100e9 * fixtureVolatility) / Math.sqrt(252) / 400e9;
  expect(band?.low).toBeCloseTo(dsiOf(raw_share! - spread), 9);
  expect(band?.high).toBeCloseTo(dsiOf(raw_share! + spread), 9);
  expect(band!.low < dsi! && dsi! < band!.high).toBe(true);
  expect(dealerStability(input).band).toBeNull();
});

test('history gives the percentile over a year and the change over five sessions, and is refused when short', () => {
  const { raw_share } = dealerStability(input);
  const history = Array.from({ length: 300 }, (_, i) => raw_share! + (i < 48 ? -1 : i % 4 === 0 ? -0.01 : 0.01));
  const found = dealerStability({ ...input, history });
  expect(found).toMatchObject({ status: 'ok', percentile_252d: 25 });
  expect(found.trend_5d).toBeCloseTo((found.dsi ?? 0) - dsiOf(history.at(-5)!), 12);
  const rising = dealerStability({ ...input, history: [0.01, 0.02, 0.03, 0.04, 0.05, 0.06] });
  expect(rising.trend_5d).toBeCloseTo((rising.dsi ?? 0) - dsiOf(0.02), 12);
  expect(dealerStability({ ...input, history: history.slice(0, 4) })).toMatchObject({
    status: 'insufficient_history',
    percentile_252d: null,
    trend_5d: null,
  });
  expect(rising).toMatchObject({ status: 'insufficient_history', percentile_252d: null });
});

test('a book without positions has no index: balanced dealers are another thing', () => {
  const found = dealerStability({ ...input, book: { ...book, position: new Float64Array(book.contracts) } });
  expect(found).toMatchObject({ status: 'no_gamma', dsi: null, raw_share: null, band: null, reading: null });
});

test('dealers long gamma absorb, short gamma amplify', () => {
  const all = (sign: number) => ({ ...book, position: book.openInterest.map((n) => 50 * sign * n) });
  expect(dealerStability({ ...input, book: all(1) }).reading).toBe('absorbing');
  expect(dealerStability({ ...input, book: all(-1) }).reading).toBe('amplifying');
  expect(dealerStability(input).reading).toBe('neutral');
});

test('the index stays within 0 and 100 and fits its schema on any book', () => {
  const sd = fc.constantFrom(null, 0, 1e6, 1e15);
  const volatility = fc.constantFrom(null, 0, 0.15);
  fc.assert(
    fc.property(anyBook, anySlopes, sd, volatility, fc.constantFrom(0, 1, 1e11), (given, slope, gexSd, atm, advUsd) => {
      const found = dealerStability({
        book: given,
        stickiness,
        slopes: slope,
        shadowGexSd: gexSd,
        atmVolatility: atm,
        advUsd,
      });
      expect([...Value.Errors(DSI, found)]).toEqual([]);
      expect(found.status === 'insufficient_history').toBe(found.dsi !== null);
      for (const value of [found.dsi, found.dsi_gamma_only, found.band?.low, found.band?.high]) {
        expect((value ?? 50) >= 0 && (value ?? 50) <= 100).toBe(true);
      }
    }),
  );
});
