import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { levenbergMarquardt } from '#src/analytics/domain/numerics/levenberg-marquardt.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { type EssviSlice, essviTotalVariance } from '#src/analytics/domain/surface/essvi.ts';
import { mingoneSlices } from '#src/analytics/domain/surface/essvi-mingone.ts';
import { essviMisfit, MISFIT } from '#src/analytics/domain/surface/essvi-misfit.ts';
import { fitEssvi } from '#src/analytics/domain/surface/fit-essvi.ts';
import { fitSvi } from '#src/analytics/domain/surface/fit-svi.ts';
import { refineEssvi } from '#src/analytics/domain/surface/refine-essvi.ts';
import { type ScaledQuotes, scaleQuotes } from '#src/analytics/domain/surface/smile-misfit.ts';
import { surfaceInputs } from '#src/analytics/domain/surface/surface-inputs.ts';
import { fitError } from '#src/analytics/domain/surface/surface-quality.ts';
import { durrlemanG, type RawSvi, sviDerivatives, sviTotalVariance } from '#src/analytics/domain/surface/svi.ts';
import { quotesOf, strikesFor, surfaceOf } from '#test/analytics/smile-quotes.ts';
import { syntheticMarket } from '#test/analytics/synthetic.ts';

const volatilityOf = (raw: RawSvi, years: number) => (k: number) => Math.sqrt(sviTotalVariance(raw, k) / years);

const market: readonly (readonly [RawSvi, number])[] = [
  [{ a: 0.00001, b: 0.006, rho: -0.4, m: 0.002, sigma: 0.005 }, 2 / 365],
  [{ a: 0.001, b: 0.02, rho: -0.6, m: 0.01, sigma: 0.03 }, 0.08],
  [{ a: 0, b: 0.1, rho: -0.7, m: 0.05, sigma: 0.2 }, 1],
];

test('Levenberg-Marquardt finds the minimum of Rosenbrock’s function', () => {
  const { x, cost } = levenbergMarquardt(
    {
      size: 2,
      evaluate: ([p = 0, q = 0], { hessian, gradient }) => {
        const [r, s] = [10 * (q - p * p), 1 - p];
        hessian.set([400 * p * p + 1, 0, -200 * p, 100]);
        gradient.set([-20 * p * r - s, 10 * r]);
        return 0.5 * (r * r + s * s);
      },
    },
    Float64Array.of(-1.2, 1),
    { tolerance: 0, negligible: 1e-25, limit: 200 },
  );
  expect(cost).toBeLessThan(1e-20);
  expect(x[0]).toBeCloseTo(1, 9);
  expect(x[1]).toBeCloseTo(1, 9);
});

test.each(market)('a smile without noise is met within a quarter of a half-spread (%#)', (raw, years) => {
  const k = strikesFor(Math.sqrt(sviTotalVariance(raw, 0)), 60);
  const quotes = quotesOf(k, volatilityOf(raw, years));
  const fit = fitSvi(quotes, years);
  expect(fit.status).toBe('ok');
  expect(fitError(quotes, fit.raw!, years)!.halfSpreads).toBeLessThan(0.25);
});

test.each(market)(
  'noise inside the spread and one stale quote leave the smile within two half-spreads (%#)',
  (raw, years) => {
    const random = randomStream('noise');
    const k = strikesFor(Math.sqrt(sviTotalVariance(raw, 0)), 60);
    const quotes = quotesOf(k, volatilityOf(raw, years), { noise: () => 0.4 * random.normal() });
    for (const side of [quotes.bid, quotes.mid, quotes.ask]) side[40]! += 0.08;
    const fit = fitSvi(quotes, years);
    // Beyond two and a half deviations quotes count for next to nothing.
    for (const at of k.slice(11)) {
      expect(Math.abs(volatilityOf(fit.raw!, years)(at) - volatilityOf(raw, years)(at))).toBeLessThan(0.004);
    }
  },
);

test('nothing is lost while a smile lies between bid and ask: another mid inside the spread hardly moves it', () => {
  const [raw, years] = market[1]!;
  const k = strikesFor(Math.sqrt(sviTotalVariance(raw, 0)), 60);
  const plain = quotesOf(k, volatilityOf(raw, years));
  const pushed = { ...plain, mid: plain.mid.map((v, i) => v + (i % 2 === 0 ? 0.0015 : -0.0015)) };
  const [one, two] = [fitSvi(plain, years), fitSvi(pushed, years)];
  for (const at of k.slice(5, -5)) {
    expect(Math.abs(volatilityOf(one.raw!, years)(at) - volatilityOf(two.raw!, years)(at))).toBeLessThan(0.0006);
  }
});

test('quotes of Vogt’s smile, which has arbitrage, give a repaired smile near them that has none', () => {
  const vogt = { a: -0.041, b: 0.1331, rho: 0.306, m: 0.3586, sigma: 0.4153 };
  const k = Array.from({ length: 60 }, (_, i) => -0.8 + (2.2 * i) / 59);
  const quotes = quotesOf(k, volatilityOf(vogt, 1), { half: 0.004 });
  const fit = fitSvi(quotes, 1);
  expect(fit.status).toBe('repaired');
  for (let at = -20; at < 20; at += 0.01)
    expect(durrlemanG(at, sviDerivatives(fit.raw!, at))).toBeGreaterThanOrEqual(0);
  expect(fitError(quotes, fit.raw!, 1)!.volatilityPoints).toBeLessThan(1);
});

test('property: whatever the quotes, no smile with arbitrage is returned, and no NaN', () => {
  const seen = new Set<string>();
  const quote = fc.record({
    k: fc.double({ min: -1, max: 1, noNaN: true }),
    mid: fc.double({ min: 0.01, max: 2, noNaN: true }),
    half: fc.double({ min: 0, max: 0.1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(quote, { minLength: 1, maxLength: 20 }), fc.constantFrom(0.0005, 0.02, 0.5), (rows, years) => {
      const sorted = rows.toSorted((a, b) => a.k - b.k);
      const mid = Float64Array.from(sorted, (row) => row.mid);
      const half = sorted.map((row) => Math.min(row.half, 0.5 * row.mid));
      const k = Float64Array.from(sorted, (row) => row.k);
      const fit = fitSvi({ k, mid, bid: mid.map((v, i) => v - half[i]!), ask: mid.map((v, i) => v + half[i]!) }, years);
      seen.add(fit.status);
      if (!fit.raw) return;
      let least = Infinity;
      for (let i = -400; i <= 400; i++) {
        const at = fit.raw.m + fit.raw.sigma * Math.sinh(i / 50);
        least = Math.min(least, durrlemanG(at, sviDerivatives(fit.raw, at)));
      }
      expect(least).toBeGreaterThanOrEqual(-1e-10);
      expect(fit.certificate.holds).toBe(true);
    }),
    { numRuns: 400, endOnFailure: true },
  );
  expect(seen).toContain('ok');
  expect(seen).toContain('repaired');
  expect(seen).toContain('too_few_quotes');
});

const free = (slices: number) =>
  Float64Array.from({ length: 3 * slices }, (_, j) => (j % 3 === 0 ? -0.8 + 0.03 * j : j % 3 === 1 ? -6 : 0.2));

function scaledOf(slices: readonly EssviSlice[]): ScaledQuotes[] {
  return slices.map((slice, i) => {
    const years = 0.05 * (i + 1);
    const k = strikesFor(Math.sqrt(slice.theta));
    return scaleQuotes(
      quotesOf(k, (at) => Math.sqrt(essviTotalVariance(slice, at) / years)),
      years,
    );
  });
}

const loss = (scaled: readonly ScaledQuotes[], slices: readonly EssviSlice[]) =>
  slices.reduce((sum, slice, i) => sum + essviMisfit(scaled[i]!, slice, new Float64Array(MISFIT), 0), 0);

test('the misfit’s gradient is that of its loss', () => {
  const slices = mingoneSlices(free(1));
  const [scaled] = scaledOf(slices);
  const off = { theta: slices[0]!.theta * 1.1, rho: slices[0]!.rho + 0.1, psi: slices[0]!.psi * 0.8 };
  const out = new Float64Array(MISFIT);
  essviMisfit(scaled!, off, out, 0);
  for (const [i, name] of (['theta', 'rho', 'psi'] as const).entries()) {
    const h = 1e-6 * Math.abs(off[name]);
    const at = (value: number) => essviMisfit(scaled!, { ...off, [name]: value }, new Float64Array(MISFIT), 0);
    const slope = (at(off[name] + h) - at(off[name] - h)) / (2 * h);
    expect(out[i]! / slope).toBeCloseTo(1, 5);
  }
});

test('the slices of an arbitrage-free surface are found one after the other', () => {
  const truth = mingoneSlices(free(6));
  const found = fitEssvi(scaledOf(truth));
  for (const [i, { theta, rho, psi }] of found.entries()) {
    expect(theta / truth[i]!.theta).toBeCloseTo(1, 2);
    expect(rho).toBeCloseTo(truth[i]!.rho, 1);
    expect(psi / truth[i]!.psi).toBeCloseTo(1, 1);
  }
});

test('all at once, a first expiry that is quoted too high gives way to the later ones', () => {
  const truth = mingoneSlices(free(6));
  const scaled = scaledOf(truth);
  // Twice the variance of the first, from a few wide quotes: below it nothing later may fall.
  const high = quotesOf(strikesFor(Math.sqrt(truth[0]!.theta), 5), () => Math.sqrt((3 * truth[0]!.theta) / 0.05), {
    half: 0.03,
  });
  const misled = [scaleQuotes(high, 0.05), ...scaled.slice(1)];
  const start = fitEssvi(misled);
  const refined = refineEssvi(misled, start);
  expect(loss(misled, refined)).toBeLessThan(0.2 * loss(misled, start));
  expect(refined[0]!.theta).toBeLessThan(0.85 * start[0]!.theta);
});

test('a smile that is almost straight over its quotes is fitted as well: it begins at the slice of the surface', () => {
  const chain = syntheticMarket('SPX', { contracts: 1200 }).chainAt(Date.parse('2025-12-19T20:55:00Z'));
  const { expiries } = surfaceOf(surfaceInputs(chain, priceBook(chain)));
  const own = expiries.filter(({ svi }) => svi.status === 'ok');
  expect(own.length).toBeGreaterThan(12);
  for (const { sviError } of own) expect(sviError!.volatilityPoints).toBeLessThan(0.1);
});
