import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { gammaFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { gammaProfile } from '#src/analytics/domain/levels/gamma-profile.ts';
import { gammaAt, gammaTerms, grossGammaAt } from '#src/analytics/domain/levels/gamma-terms.ts';
import { bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import {
  blendedGreeks,
  forwardOverMean,
  forwardOverMeanSlope,
  normalWeight,
  SMALL_DEVIATION,
  TRADING_DAY,
} from '#src/analytics/domain/pricing/price-blend.ts';
import { stressBook } from '#src/analytics/domain/risk/stress.ts';
import { fixtureBook, oracleCases } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

/** Random books whose first expiry is between hours and four trading days away. */
const blendedBooks = fc
  .tuple(books, fc.double({ min: 0.0005, max: 4 * TRADING_DAY, noNaN: true }))
  .map(([book, years]) => withFirst({ ...book, blended: true }, years));

function withFirst(book: Book, years: number): Book {
  return { ...book, expiries: book.expiries.map((expiry, e) => (e === 0 ? { ...expiry, years } : expiry)) };
}

test('the weight is one under a day or a small deviation, zero beyond twice that, and a line between', () => {
  expect(normalWeight(0.5 * TRADING_DAY, 0.3)).toBe(1);
  expect(normalWeight(1, 0.9 * SMALL_DEVIATION)).toBe(1);
  expect(normalWeight(1.5 * TRADING_DAY, 0.3)).toBeCloseTo(0.5, 12);
  expect(normalWeight(1, SMALL_DEVIATION * Math.sqrt(1.25))).toBeCloseTo(0.75, 12);
  expect(normalWeight(2 * TRADING_DAY, 0.03)).toBe(0);
});

test('x/(1 − e^{−x}) and its slope are right on both sides of each change of formula', () => {
  for (const x of [-3, -0.51, -0.49, -1.1e-3, -0.9e-3, 1e-9, 0.9e-3, 1.1e-3, 0.3, 0.49, 0.51, 3]) {
    expect(forwardOverMean(x) / (-x / Math.expm1(-x))).toBeCloseTo(1, 14);
    const slope = (forwardOverMean(x + 1e-5) - forwardOverMean(x - 1e-5)) / 2e-5;
    expect(forwardOverMeanSlope(x)).toBeCloseTo(slope, 9);
  }
  expect(forwardOverMean(0)).toBe(1);
});

test('the one-pass exposures of a blended book are the sums of its blended Greeks', () => {
  fc.assert(
    fc.property(blendedBooks, (book) => {
      const total = { dex: 0, gex: 0, vex: 0, cex: 0, tex: 0 };
      const { multiplier, spot } = book;
      let scale = 1;
      for (let i = 0; i < book.contracts; i++) {
        const { years, rate, dividend } = book.expiries[book.expiry[i]!]!;
        const one = { isCall: book.isCall[i] === 1, spot, strike: book.strike[i]!, years, rate, dividend };
        const greeks = blendedGreeks({ ...one, volatility: book.volatility[i]! });
        const n = book.position[i]! * multiplier;
        total.dex += n * greeks.delta * spot;
        total.gex += n * greeks.gamma * spot * spot * 0.01;
        total.vex += n * greeks.vanna * spot * 0.01;
        total.cex += (n * greeks.charm * spot) / 365;
        total.tex += (n * greeks.theta) / 365;
        scale += Math.abs(n) * spot;
      }
      const found = exposures(book);
      for (const name of ['dex', 'gex', 'vex', 'cex', 'tex'] as const) {
        // The expansion of the converted volatility drops a term of fourth order in the deviation.
        expect(Math.abs(found[name] - total[name]) / (Math.abs(total[name]) + scale), name).toBeLessThan(1e-9);
      }
    }),
  );
});

test('the profile of a blended book is its exact sum, and that is its exposure', () => {
  fc.assert(
    fc.property(blendedBooks, (book) => {
      const terms = gammaTerms(book);
      const { spots, gex } = gammaProfile(book, terms, 200);
      for (const [j, spot] of spots.entries()) {
        const room = 1e-11 * grossGammaAt(terms, spot) + 1e-25 * grossGammaAt(terms, book.spot) + 1e-30;
        expect(Math.abs(gex[j]! - gammaAt(terms, spot))).toBeLessThan(room);
      }
      const away = 1.02 * book.spot;
      for (const spot of [book.spot, away]) {
        const { gex: here, gexAbs } = exposures(book, spot);
        expect(Math.abs(gammaAt(terms, spot) - here)).toBeLessThan(1e-10 * (gexAbs + 1));
      }
    }),
    { numRuns: 50 },
  );
});

test('GEX has no jump in time where the blend begins and ends', () => {
  const place = fc.constantFrom(TRADING_DAY, 1.5 * TRADING_DAY, 2 * TRADING_DAY);
  fc.assert(
    fc.property(blendedBooks, place, (book, years) => {
      const at = (share: number) => exposures(withFirst(book, years * share));
      // A step of 1e-7 of the time moves gamma by its colour, which is of order gamma·(d² + 1)/T.
      const before = at(1 - 1e-7);
      expect(Math.abs(at(1 + 1e-7).gex - before.gex)).toBeLessThan(1e-4 * before.gexAbs + 1e-6);
    }),
  );
});

test('GEX has no jump in volatility where the deviation goes from small to not', () => {
  const place = fc.constantFrom(1, 1.2, Math.SQRT2);
  fc.assert(
    fc.property(blendedBooks, place, (book, share) => {
      const years = 0.02;
      const sigma = (share * SMALL_DEVIATION) / Math.sqrt(years);
      const at = (factor: number) =>
        exposures({ ...withFirst(book, years), volatility: book.volatility.map(() => sigma * factor) });
      const before = at(1 - 1e-7);
      expect(Math.abs(at(1 + 1e-7).gex - before.gex)).toBeLessThan(1e-4 * before.gexAbs + 1e-6);
    }),
  );
});

test('GEX has no jump in spot, and its slope at a flip is its derivative', () => {
  fc.assert(
    fc.property(blendedBooks, fc.double({ min: 0.9, max: 1.1, noNaN: true }), (book, level) => {
      const terms = gammaTerms(book);
      const spot = book.spot * level;
      const gap = Math.abs(gammaAt(terms, spot * (1 + 1e-9)) - gammaAt(terms, spot * (1 - 1e-9)));
      expect(gap).toBeLessThan(1e-4 * grossGammaAt(terms, spot) + 1e-12 * grossGammaAt(terms, book.spot) + 1e-30);
      for (const flip of gammaFlips(book).flips) {
        const h = 1e-6 * flip.level;
        const numeric = (gammaAt(terms, flip.level + h) - gammaAt(terms, flip.level - h)) / (2 * h);
        const steep = grossGammaAt(terms, flip.level) / flip.level;
        expect(Math.abs(flip.slope - numeric)).toBeLessThan(1e-3 * Math.abs(numeric) + 1e-3 * steep);
      }
    }),
    { numRuns: 60 },
  );
});

test('half way between the models a Greek is the mean of both, and far from expiry it is Black’s', () => {
  const one = { isCall: true, spot: 6000, strike: 6030, volatility: 0.4, rate: 0.04, dividend: 0.01 };
  const far = { ...one, years: 0.5 };
  expect(blendedGreeks(far)).toEqual(bsmGreeks(far));
  const [near, half, out] = [0.999999, 1.5, 2.000001].map((days) => ({ ...one, years: days * TRADING_DAY }));
  expect(blendedGreeks(near!).gamma).not.toBeCloseTo(bsmGreeks(near!).gamma, 6);
  expect(blendedGreeks(out!).gamma).toBeCloseTo(bsmGreeks(out!).gamma, 8);
  const gap = blendedGreeks(half!).gamma / bsmGreeks(half!).gamma - 1;
  expect(Math.abs(gap)).toBeGreaterThan(1e-4);
  expect(Math.abs(gap)).toBeLessThan(0.03);
});

test('blended Greeks are slopes of Black’s price to first order in the deviation', () => {
  const one = { isCall: false, spot: 6000, strike: 5980, volatility: 0.15, years: 0.002, rate: 0.04, dividend: 0.01 };
  const [black, blend] = [bsmGreeks(one), blendedGreeks(one)];
  expect(Math.abs(blend.delta - black.delta)).toBeLessThan(0.004);
  for (const name of ['gamma', 'vega', 'theta'] as const) {
    expect(Math.abs(blend[name] / black[name] - 1), name).toBeLessThan(0.01);
  }
});

test('without a shock a blended book has neither P&L nor hedge flow', () => {
  const [result] = stressBook({ ...fixtureBook(), blended: true }, [{ spot_shock_pct: 0, vol_shock_pct: 0 }], 4e11);
  expect(Math.abs(result?.hedge_flow ?? 1)).toBeLessThan(1);
  expect(Math.abs(result?.hedged_pnl ?? 1)).toBeLessThan(1e-3);
});

test('the blend moves the published flips of Black by under a point, and finds as many', () => {
  for (const [, { inputs, expected }] of oracleCases('flip_multi')) {
    const { flips } = gammaFlips({ ...fixtureBook(inputs), blended: true });
    expect(flips).toHaveLength(expected.length);
    for (const [i, flip] of flips.entries()) expect(Math.abs(flip.level - expected[i].level)).toBeLessThan(1);
  }
});
