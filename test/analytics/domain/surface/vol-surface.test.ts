import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { type EssviSlice, essviDerivatives, essviTotalVariance } from '#src/analytics/domain/surface/essvi.ts';
import { essviAt } from '#src/analytics/domain/surface/essvi-between.ts';
import { mingoneSlices } from '#src/analytics/domain/surface/essvi-mingone.ts';
import { surfaceAnswer } from '#src/analytics/domain/surface/surface-answer.ts';
import { forwardAt, surfaceGrid } from '#src/analytics/domain/surface/surface-grid.ts';
import { surfaceInputs } from '#src/analytics/domain/surface/surface-inputs.ts';
import { certifySurface } from '#src/analytics/domain/surface/surface-quality.ts';
import { SURFACE } from '#src/analytics/domain/surface/surface-schema.ts';
import { durrlemanG, sviDerivatives } from '#src/analytics/domain/surface/svi.ts';
import {
  atmVolatilityAt,
  type ExpiryQuotes,
  fitSurface,
  skewAt,
  totalVarianceAt,
  type VolSurface,
  volatilityAt,
} from '#src/analytics/domain/surface/vol-surface.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';
import { expiryOf, quotesOf, strikesFor, surfaceOf } from '#test/analytics/smile-quotes.ts';

/** Every slice and sixteen times between any two, on grids of its own: no use of the certificate. */
function expectArbitrageFree({ slices }: VolSurface): void {
  const times = slices.flatMap(({ years }, i) => {
    const next = slices[i + 1]?.years ?? 2 * years;
    return Array.from({ length: 4 }, (_, j) => years + ((next - years) * j) / 4);
  });
  let before: EssviSlice | undefined;
  let leastG = Infinity;
  let leastGap = Infinity;
  for (const years of [0.5 * times[0]!, ...times]) {
    const slice = essviAt(slices, years);
    const unit = slice.theta / slice.psi;
    for (let i = -80; i <= 80; i++) {
      const k = unit * Math.sinh(i / 10);
      leastG = Math.min(leastG, durrlemanG(k, essviDerivatives(slice, k)));
      if (before) leastGap = Math.min(leastGap, essviTotalVariance(slice, k) / essviTotalVariance(before, k) - 1);
    }
    before = slice;
  }
  expect(leastG).toBeGreaterThanOrEqual(0);
  expect(leastGap).toBeGreaterThanOrEqual(-1e-13);
}

function inputsOf(symbol: MarketSymbol, text: string): ExpiryQuotes[] {
  const chain = cleanChain(readChain(text, symbol));
  return surfaceInputs(chain, priceBook(chain));
}

const truth = mingoneSlices(Float64Array.of(-0.9, -7, 0.2, -0.85, -6.5, 0.5, -0.8, -6, 0, -0.8, -5, 0));
const years = [0.02, 0.08, 0.25, 0.8];
const half = 0.002;

function marketOf(noise = 0, seed = 'market'): ExpiryQuotes[] {
  const random = randomStream(seed);
  return truth.map((slice, i) => {
    const k = strikesFor(Math.sqrt(slice.theta));
    const volatility = (at: number) => Math.sqrt(essviTotalVariance(slice, at) / years[i]!);
    return expiryOf(years[i]!, quotesOf(k, volatility, { half, noise: () => noise * random.normal() }));
  });
}

test('a surface is found again from its quotes, in any order of expiries', () => {
  const surface = surfaceOf(marketOf().toReversed());
  expect(surface.slices.map((slice) => slice.years)).toEqual(years);
  expectArbitrageFree(surface);
  for (const [i, slice] of truth.entries()) {
    for (const k of strikesFor(Math.sqrt(slice.theta), 9)) {
      const exact = Math.sqrt(essviTotalVariance(slice, k) / years[i]!);
      expect(Math.abs(volatilityAt(surface, k, years[i]!)! - exact)).toBeLessThan(half / 2);
    }
  }
});

test('values, volatility at the money and skew agree with each other', () => {
  const surface = surfaceOf(marketOf(0.4));
  for (const at of [0.005, 0.02, 0.05, 0.25, 0.5, 2]) {
    expect(atmVolatilityAt(surface, at)! ** 2 * at).toBeCloseTo(totalVarianceAt(surface, 0, at)!, 14);
    const h = 1e-5;
    const slope = (volatilityAt(surface, h, at)! - volatilityAt(surface, -h, at)!) / (2 * h);
    expect(skewAt(surface, at)! / slope).toBeCloseTo(1, 6);
  }
  for (const at of [0, -1, Number.NaN, Infinity]) {
    expect([volatilityAt(surface, 0, at), skewAt(surface, at), atmVolatilityAt(surface, at)]).toEqual([
      null,
      null,
      null,
    ]);
  }
  expect(volatilityAt(surface, Infinity, 1)).toBeNull();
});

test('noise of any size leaves no arbitrage', () => {
  for (let seed = 0; seed < 40; seed++) {
    const inputs = marketOf(seed % 2 === 0 ? 1 : 8, `noise ${seed}`);
    const { surface } = fitSurface(inputs);
    expect(surface?.certificate.holds).toBe(true);
    expectArbitrageFree(surface!);
  }
});

test('rubbish of any scale gives a surface that holds its certificate, and finite numbers', () => {
  const random = randomStream('rubbish');
  for (let run = 0; run < 150; run++) {
    const inputs = Array.from({ length: 1 + Math.floor(6 * random.uniform()) }, () => {
      const k = Array.from({ length: 1 + Math.floor(25 * random.uniform()) }, () => 4 * random.uniform() - 2);
      const level = 10 ** (-2 + 2 * random.uniform());
      const time = 10 ** (-5 + 5 * random.uniform());
      return expiryOf(
        time,
        quotesOf(k, () => level * (0.5 + random.uniform()), { half: 0.4 * level }),
      );
    });
    const surface = surfaceOf(inputs);
    expect(surface.certificate.holds).toBe(true);
    for (const at of [1e-5, 0.3, 5]) {
      for (const k of [-3, 0, 3]) expect(volatilityAt(surface, k, at)).toBeGreaterThan(0);
      expect(skewAt(surface, at)).not.toBeNaN();
    }
  }
});

describe('degenerate inputs', () => {
  const [first, second] = marketOf() as [ExpiryQuotes, ExpiryQuotes];
  const none = { k: new Float64Array(), bid: new Float64Array(), mid: new Float64Array(), ask: new Float64Array() };

  test('no expiry, or none with a quote, has no surface', () => {
    expect(fitSurface([])).toEqual({ status: 'no_quotes', surface: null });
    expect(fitSurface([expiryOf(0.1, none)])).toEqual({ status: 'no_quotes', surface: null });
  });

  test('one expiry has no calendar gap', () => {
    const surface = surfaceOf([first]);
    expect(surface.certificate).toMatchObject({ leastCalendarGap: null, holds: true });
    expectArbitrageFree(surface);
  });

  test('an expiry of one strike is thin, meets its quote and takes its shape from the one before', () => {
    const single = expiryOf(
      0.06,
      quotesOf([0.001], () => 0.2),
    );
    const surface = surfaceOf([first, single]);
    expect(surface.expiries.map(({ status }) => status)).toEqual(['ok', 'thin']);
    expect(Math.abs(volatilityAt(surface, 0.001, 0.06)! - 0.2)).toBeLessThan(half);
    expect(surface.slices[1]!.rho).toBeCloseTo(surface.slices[0]!.rho, 1);
    expect(surface.expiries[1]!.svi.status).toBe('too_few_quotes');
    expectArbitrageFree(surface);
    expectArbitrageFree(surfaceOf([single]));
  });

  test('an expiry without quotes, of no time or of another’s time is named and the rest is fitted', () => {
    const surface = surfaceOf([
      first,
      second,
      expiryOf(0.05, none),
      expiryOf(0, second.quotes),
      expiryOf(first.years, first.quotes),
    ]);
    expect(surface.expiries.map(({ status }) => status)).toEqual(['bad_time', 'ok', 'same_time', 'no_quotes', 'ok']);
    expect(surface.slices).toHaveLength(2);
    const answer = surfaceAnswer(surface, { days: [1, 30], k: [-0.1, 0, 0.1] });
    expect([...Value.Errors(SURFACE, answer)]).toEqual([]);
    expect(answer.expiries[3]).toMatchObject({ essvi: null, fit_error: null });
    expect(answer.expiries[3]!.atm_volatility).toBeGreaterThan(0);
  });

  test('crossed and malformed quotes are counted and left out', () => {
    const spoilt = {
      ...first,
      quotes: { ...first.quotes, bid: first.quotes.bid.slice(), mid: first.quotes.mid.slice() },
    };
    spoilt.quotes.bid[3] = spoilt.quotes.ask[3]! + 0.01;
    spoilt.quotes.mid[7] = Number.NaN;
    const surface = surfaceOf([spoilt]);
    expect(surface.expiries[0]).toMatchObject({ quotes: 38, crossed: 1, malformed: 1 });
    expect(surface.slices[0]!.theta).toBeCloseTo(surfaceOf([first]).slices[0]!.theta, 5);
  });

  test('minutes before expiry a slice is still fitted', () => {
    const minutes = 5 / (60 * 24 * 365);
    const deviation = 0.3 * Math.sqrt(minutes);
    const near = expiryOf(
      minutes,
      quotesOf(strikesFor(deviation), (k) => 0.3 - 0.02 * (k / deviation), { half: 0.01 }),
    );
    const surface = surfaceOf([near, first]);
    expect(surface.expiries[0]).toMatchObject({ status: 'ok' });
    expect(surface.expiries[0]!.error!.halfSpreads).toBeLessThan(1);
    expectArbitrageFree(surface);
  });

  test('total variance that falls with time is refused by the fit: the later slice stays above', () => {
    const falling = [
      expiryOf(
        0.1,
        quotesOf(strikesFor(0.1), () => 0.5),
      ),
      expiryOf(
        0.2,
        quotesOf(strikesFor(0.1), () => 0.2),
      ),
    ];
    const surface = surfaceOf(falling);
    expect(surface.slices[1]!.theta).toBeGreaterThan(surface.slices[0]!.theta);
    expect(surface.certificate.holds).toBe(true);
    expectArbitrageFree(surface);
  });
});

test('the certificate sees arbitrage of either kind', () => {
  const sound = { theta: 0.02, rho: -0.5, psi: 0.15, years: 0.5 };
  expect(certifySurface([sound]).holds).toBe(true);
  expect(certifySurface([{ ...sound, psi: 0.6 }])).toMatchObject({ holds: false });
  const falling = certifySurface([sound, { ...sound, theta: 0.019, years: 1 }]);
  expect(falling).toMatchObject({ holds: false });
  expect(falling.leastCalendarGap).toBeLessThan(-0.0005);
});

test('a grid by strikes is the grid by log-moneyness against the forward of each day', () => {
  const surface = surfaceOf(marketOf().map((expiry) => ({ ...expiry, forward: 1000 * Math.exp(0.04 * expiry.years) })));
  const { volatility, forwards } = surfaceGrid(surface, { days: [3, 50, 900], strikes: [900, 1000] });
  for (const [row, day] of [3, 50, 900].entries()) {
    expect(forwards[row]).toBeCloseTo(1000 * Math.exp((0.04 * day) / 365), 6);
    expect(volatility[row]![0]).toBe(volatilityAt(surface, Math.log(900 / forwards[row]!), day / 365));
  }
  expect(forwardAt(surfaceOf([marketOf()[0]!]), 3)).toBe(1000);
});

test.each(marketSymbols)('generated chains of %s give surfaces within the spread of most quotes', (symbol) => {
  for (const seed of [1, 2]) {
    const inputs = inputsOf(symbol, generateChainCsv({ symbol, at: Date.parse('2026-11-19T18:30:00Z'), seed }));
    const surface = surfaceOf(inputs);
    expectArbitrageFree(surface);
    const quotes = surface.expiries.reduce((sum, expiry) => sum + expiry.quotes, 0);
    const inside = surface.expiries.reduce((sum, { quotes: n, error }) => sum + n * (error?.inside ?? 0), 0);
    expect(quotes).toBeGreaterThan(150);
    expect(inside / quotes).toBeGreaterThan(0.9);
    for (const { error } of surface.expiries) expect(error?.volatilityPoints ?? 0).toBeLessThan(1);
  }
});

const folder = new URL('../../../../../shared/data/cboe/', import.meta.url);
const absent = existsSync(folder) ? undefined : 'skipped: the real chains are not in ../shared/data';

test.for(['SPX', 'SPY'] as const)(
  '%s of 2023-09-14 gives a surface without arbitrage near its quotes',
  (symbol, { skip }) => {
    skip(absent !== undefined, absent);
    const file = new URL(`${symbol.toLowerCase()}-2023-09-14.csv.gz`, folder);
    const inputs = inputsOf(symbol, gunzipSync(readFileSync(file)).toString());
    for (const { quotes } of inputs) expect(quotes.k.length).toBeLessThanOrEqual(60);
    const surface = surfaceOf(inputs);
    expect(surface.slices.length).toBeGreaterThan(25);
    expectArbitrageFree(surface);
    for (const { error, years: at } of surface.expiries)
      if (at < 1.4) expect(error!.volatilityPoints).toBeLessThan(1.8);
    const smiles = surface.expiries.flatMap(({ svi, sviError }) =>
      svi.raw && sviError ? [{ raw: svi.raw, sviError }] : [],
    );
    expect(smiles.length).toBeGreaterThan(0.9 * surface.slices.length);
    const shares = smiles.map(({ sviError }) => sviError.inside).toSorted((a, b) => a - b);
    expect(shares[Math.floor(shares.length / 2)]).toBeGreaterThan(0.6);
    for (const { raw } of smiles) {
      for (let i = -100; i <= 100; i++) {
        const k = raw.m + raw.sigma * Math.sinh(i / 12);
        expect(durrlemanG(k, sviDerivatives(raw, k))).toBeGreaterThanOrEqual(-1e-10);
      }
    }
    expect([...Value.Errors(SURFACE, surfaceAnswer(surface, { days: [7, 30], k: [0] }))]).toEqual([]);
  },
);
