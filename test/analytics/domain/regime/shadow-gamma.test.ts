import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { bsmPrice } from '#src/analytics/domain/pricing/black-scholes.ts';
import { shadowCoefficients, shadowGamma } from '#src/analytics/domain/regime/shadow-gamma.ts';
import { SHADOW_GAMMA } from '#src/analytics/domain/regime/shadow-gamma-schema.ts';
import { skewStickiness } from '#src/analytics/domain/regime/skew-stickiness.ts';
import { surfaceInputs } from '#src/analytics/domain/surface/surface-inputs.ts';
import { sviTotalVariance } from '#src/analytics/domain/surface/svi.ts';
import { expirySkew, skewAt } from '#src/analytics/domain/surface/vol-surface.ts';
import { anyBook, slopes as anySlopes } from '#test/analytics/degenerate-books.ts';
import { fixtureSkew, fixtureSsr, fixtureVolatility, metricCase } from '#test/analytics/metric-oracle.ts';
import { fixtureBook, missBy } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';
import { expiryOf, quotesOf, surfaceOf } from '#test/analytics/smile-quotes.ts';
import { syntheticMarket } from '#test/analytics/synthetic.ts';

const book = fixtureBook();
const slopes = volatilitySlopes(book, { regime: 'ssr', ssr: fixtureSsr, skewAt: fixtureSkew });
const stickiness = skewStickiness([]);
const found = shadowGamma({ stickiness, book, slopes, atmVolatility: fixtureVolatility });

test.each([
  ['shadow_gex', found.shadow_gex],
  ['gamma_adjustment_factor', found.shadow_gex / found.gex],
  ['shadow_up', found.up_gamma],
  ['instability_ratio', found.instability_ratio],
] as const)('%s of the fixture is that of the definition', (name, value) => {
  expect(missBy(value ?? Number.NaN, metricCase(name).expected, metricCase(name))).toBeLessThanOrEqual(1);
});

test('the factor is null where net gamma is under two percent of gross, as in the fixture, and says so', () => {
  expect([found.status, found.gamma_adjustment_factor]).toEqual(['small_net_gamma', null]);
  const calls = { ...book, position: book.position.map((n) => Math.max(n, 0)) };
  const one = shadowGamma({ stickiness, book: calls, slopes, atmVolatility: fixtureVolatility });
  expect(one.status).toBe('ok');
  expect(one.gamma_adjustment_factor).toBeCloseTo(one.shadow_gex / one.gex, 12);
});

/** Dollars the book is worth at a spot with every volatility slid along. */
function valueAt(given: Book, slope: Float64Array, spot: number): number {
  let sum = 0;
  for (let i = 0; i < given.contracts; i++) {
    const e = given.expiry[i]!;
    const volatility = given.volatility[i]! + slope[e]! * Math.log(spot / given.spot);
    const { years, rate, dividend } = given.expiries[e]!;
    const isCall = given.isCall[i] === 1;
    const option = { isCall, spot, strike: given.strike[i]!, years, volatility, rate, dividend };
    sum += given.position[i]! * given.multiplier * bsmPrice(option);
  }
  return sum;
}

test('price convexity is the second difference of the value along the moving smile', () => {
  const h = 0.5;
  const at = (spot: number) => valueAt(book, slopes, spot);
  const numeric = (at(6000 + h) - 2 * at(6000) + at(6000 - h)) / (h * h);
  expect((0.01 * 6000 * 6000 * numeric) / found.gex_abs).toBeCloseTo(found.price_convexity / found.gex_abs, 6);
  expect(found.price_convexity).not.toBeCloseTo(found.shadow_gex, -6);
});

test('what one contract adds, times the positions, is the shadow gamma of the book', () => {
  fc.assert(
    fc.property(books, anySlopes, (random, slope) => {
      const each = shadowCoefficients(random, slope);
      const { shadow_gex } = shadowGamma({ stickiness, book: random, slopes: slope, atmVolatility: 0.2 });
      const sum = each.reduce((total, value, i) => total + value * random.position[i]!, 0);
      const size = each.reduce((total, value, i) => total + Math.abs(value * random.position[i]!), 1);
      expect(Math.abs(sum - shadow_gex)).toBeLessThan(1e-9 * size);
    }),
  );
});

test('with volatilities that stay, shadow gamma and convexity are gamma', () => {
  fc.assert(
    fc.property(books, (random) => {
      const still = shadowGamma({ stickiness, book: random, slopes: new Float64Array(3), atmVolatility: 0.2 });
      expect(still.shadow_gex).toBe(still.gex);
      expect(still.price_convexity).toBe(still.gex);
      expect(Math.abs(still.gex)).toBeLessThanOrEqual(still.gex_abs * (1 + 1e-12));
    }),
  );
});

test('every figure is finite or null, the ratio within 0 and 1, and 1 where the sign changes', () => {
  fc.assert(
    fc.property(anyBook, anySlopes, fc.constantFrom(null, 0, 0.05, 0.9), (given, slope, atmVolatility) => {
      const answer = shadowGamma({ stickiness, book: given, slopes: slope, atmVolatility });
      expect([...Value.Errors(SHADOW_GAMMA, answer)]).toEqual([]);
      const { instability_ratio: ratio, up_gamma: up, down_gamma: down } = answer;
      if (ratio === null) return;
      expect(ratio).toBeGreaterThanOrEqual(0);
      expect(ratio).toBeLessThanOrEqual(1);
      if (up! * down! < 0) expect(ratio).toBeCloseTo(1, 12);
    }),
  );
});

test('sticky strike needs no skew, sticky moneyness takes its opposite, a missing skew leaves an expiry still', () => {
  const slope = (regime: 'sticky_strike' | 'sticky_moneyness' | 'ssr', skew: number) =>
    volatilitySlopes(book, { regime, skewAt: (e) => (e === 0 ? Number.NaN : skew) });
  expect([...slope('sticky_strike', -0.4)]).toEqual([0, 0, 0]);
  expect([...slope('sticky_moneyness', -0.4)]).toEqual([0, 0.4, 0.4]);
  expect([...slope('ssr', -0.4)]).toEqual([0, -0.2, -0.2]);
});

test('the shadow of a market is that of the lean of each expiry’s own smile, and of the surface where it has none', () => {
  const chain = syntheticMarket('SPX', { contracts: 600 }).chainAt(Date.parse('2025-11-20T17:00:00Z'));
  const priced = priceBook(chain);
  const surface = surfaceOf(surfaceInputs(chain, priced));
  const leans = priced.book.expiries.map(({ label, years }) => {
    const expiry = surface.expiries.find((one) => one.label === label);
    // one quote or two do not tell a lean, whatever the surface has there
    if (expiry?.status === 'thin') return 0;
    const raw = expiry?.svi.raw;
    if (!raw) return skewAt(surface, years)!;
    const volatility = (k: number) => Math.sqrt(sviTotalVariance(raw, k) / years);
    return (volatility(1e-5) - volatility(-1e-5)) / 2e-5;
  });
  const facts = { advUsd: 4e11, session: null, realisedVolatility: null, open: null, flow: null };
  const first = marketFigures({ chain, ...facts }).generations['1'];
  const expected = shadowGamma({
    stickiness,
    book: priced.book,
    slopes: Float64Array.from(leans, (lean) => 0.5 * lean),
    atmVolatility: first!.analytics.levels.atm_volatility,
  });
  expect(first!.shadow_gamma.hidden_gamma / expected.hidden_gamma).toBeCloseTo(1, 4);
  const own = surface.expiries.filter(({ svi }) => svi.raw !== null);
  expect(own.length).toBeGreaterThan(5);
  const surfaceAlone = Float64Array.from(priced.book.expiries, ({ years }) => 0.5 * skewAt(surface, years)!);
  const other = shadowGamma({ stickiness, book: priced.book, slopes: surfaceAlone, atmVolatility: null });
  expect(Math.abs(other.hidden_gamma / expected.hidden_gamma - 1)).toBeGreaterThan(1e-3);
  // too few quotes for a smile of its own
  const thin = surfaceOf([
    expiryOf(
      0.1,
      quotesOf([-0.05, 0, 0.05], (k) => 0.2 - 0.3 * k),
    ),
  ]);
  expect(expirySkew(thin, { label: 'E 0.1', years: 0.1 })).toBe(skewAt(thin, 0.1));
});
