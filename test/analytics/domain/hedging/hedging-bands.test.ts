import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { deltaShares } from '#src/analytics/domain/exposures/delta-sums.ts';
import { type HedgingBandsInput, hedgingBands } from '#src/analytics/domain/hedging/hedging-bands.ts';
import { HEDGING_BANDS } from '#src/analytics/domain/hedging/hedging-bands-schema.ts';
import { hedgingWidth } from '#src/analytics/domain/hedging/hedging-width.ts';
import { gammaAt, gammaTerms } from '#src/analytics/domain/levels/gamma-terms.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';
import { fixtureVolatility, metricCase } from '#test/analytics/metric-oracle.ts';
import { fixtureBook, missBy } from '#test/analytics/oracle.ts';

const session = { open: Date.parse('2026-11-20T14:30:00Z'), close: Date.parse('2026-11-20T21:00:00Z') };
const input: HedgingBandsInput = {
  book: fixtureBook(),
  atmVolatility: fixtureVolatility,
  asOf: session.open,
  session,
};
const found = hedgingBands(input);

test.each([
  ['ww_half_width_pts', found.half_width_pts],
  ['band_lower', found.lower?.level],
  ['activation_prob_1d_lower', found.lower?.hit.p_1d],
] as const)('%s of the fixture is that of the definition', (name, value) => {
  expect(missBy(value ?? 0, metricCase(name).expected, metricCase(name))).toBeLessThanOrEqual(1);
});

test('at both edges the repriced delta has drifted by the half-width, and nowhere between', () => {
  const rows = bookRows(input.book);
  const drift = (level: number) => deltaShares(rows, { spot: level }) - deltaShares(rows, { spot: 6000 });
  const [low, high] = [found.lower!.level, found.upper!.level];
  expect(Math.abs(drift(low)) / found.half_width_shares!).toBeCloseTo(1, 7);
  expect(Math.abs(drift(high)) / found.half_width_shares!).toBeCloseTo(1, 7);
  for (let t = 0.02; t < 0.99; t += 0.02) {
    expect(Math.abs(drift(low + t * (high - low)))).toBeLessThan(found.half_width_shares!);
  }
  expect(found.upper?.flow_usd).toBeCloseTo(-drift(high) * high, 2);
});

test('zones lie outside the band, hold half of the largest gamma in one sign, and end where it ends', () => {
  const terms = gammaTerms(input.book);
  expect(found.zones.map(({ sign }) => sign)).toEqual(['negative', 'positive']);
  for (const { lower, upper, peak, gex_peak, hit } of found.zones) {
    expect(upper <= found.lower!.level || lower >= found.upper!.level).toBe(true);
    expect(peak >= lower && peak <= upper).toBe(true);
    for (let t = 0.01; t < 1; t += 0.1) {
      expect(gammaAt(terms, lower + t * (upper - lower)) / gex_peak).toBeGreaterThan(0.49);
    }
    expect(hit.p_1h! < hit.p_close! && hit.p_close! <= hit.p_1d!).toBe(true);
  }
});

test('before the opening the whole session is ahead, after the close nothing, and without a session it is unknown', () => {
  const at = (asOf: number, given = input.session) =>
    hedgingBands({ ...input, asOf, session: given }).lower?.hit.p_close;
  expect(at(session.open - 5e6)).toBe(at(session.open));
  expect(at(session.close)).toBe(0);
  expect(at(session.open, null)).toBeNull();
});

test('Zakamouline’s law: wider for more gamma, lower volatility for a buyer and higher for a seller', () => {
  const given = { spot: 100, volatility: 0.2, years: 0.25, rate: 0.03, cost: 0.002, riskAversion: 1 };
  const width = (gammaShares: number) => hedgingWidth({ ...given, model: 'zakamouline', gammaShares });
  const [long, short] = [width(0.04), width(-0.04)];
  // H0 = λ/(γSσ²τ) and H1 by hand.
  const h1 = 1.12 * 0.002 ** 0.31 * 0.25 ** 0.05 * (Math.exp(-0.0075) / 0.2) ** 0.25 * Math.sqrt(0.04);
  expect(long.shares).toBeCloseTo(0.002 / (100 * 0.04 * 0.25) + h1, 14);
  expect(long.volatilityFactor < 1 && short.volatilityFactor > 1).toBe(true);
  expect(width(0.08).shares).toBeGreaterThan(long.shares);
  const bands = hedgingBands({ ...input, model: 'zakamouline' });
  expect(bands.lower!.level < 6000 && bands.upper!.level > 6000).toBe(true);
  expect(hedgingBands({ ...input, model: 'zakamouline', atmVolatility: null }).status).toBe('no_volatility');
});

test('bands hold spot, probabilities lie within 0 and 1 and grow with the horizon, on any book', () => {
  const volatility = fc.constantFrom(null, 0.05, 0.4);
  fc.assert(
    fc.property(
      anyBook,
      volatility,
      fc.constantFrom('whalley_wilmott', 'zakamouline'),
      (book, atmVolatility, model) => {
        const bands = hedgingBands({ ...input, book, atmVolatility, model });
        expect([...Value.Errors(HEDGING_BANDS, bands)]).toEqual([]);
        expect((bands.lower?.level ?? book.spot) <= book.spot && (bands.upper?.level ?? book.spot) >= book.spot).toBe(
          true,
        );
        for (const hit of [bands.lower?.hit, bands.upper?.hit, bands.exit, ...bands.zones.map((zone) => zone.hit)]) {
          if (!hit || hit.p_1d === null) continue;
          expect(0 <= hit.p_1h! && hit.p_1h! <= hit.p_close! && hit.p_close! <= hit.p_1d && hit.p_1d <= 1).toBe(true);
        }
      },
    ),
  );
});

test('no spot between the edges has drifted by more than the half-width, on any book', () => {
  fc.assert(
    fc.property(anyBook, (book) => {
      const { lower, upper, half_width_shares: width } = hedgingBands({ ...input, book });
      if (width === null) return;
      const rows = bookRows(book);
      const start = deltaShares(rows, { spot: book.spot });
      for (const edge of [lower?.level ?? 0.85 * book.spot, upper?.level ?? 1.15 * book.spot]) {
        for (let t = 0.05; t < 0.99; t += 0.05) {
          const drift = deltaShares(rows, { spot: book.spot + t * (edge - book.spot) }) - start;
          expect(Math.abs(drift)).toBeLessThan(1.06 * width + 1e-6);
        }
      }
    }),
  );
});

test('a book without gamma, and one whose gamma cancels, have no band and say why', () => {
  const { book } = input;
  const empty = { ...book, position: new Float64Array(book.contracts) };
  expect(hedgingBands({ ...input, book: empty })).toMatchObject({ status: 'no_gamma', lower: null, zones: [] });
  const position = new Float64Array(book.contracts);
  position[0] = 10;
  position[1] = -10;
  expect(hedgingBands({ ...input, book: { ...book, position } })).toMatchObject({
    status: 'zero_net_gamma',
    half_width_shares: null,
  });
});
