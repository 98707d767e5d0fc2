import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { gammaProfile } from '#src/analytics/domain/levels/gamma-profile.ts';
import { gammaAt, gammaTerms, grossGammaAt } from '#src/analytics/domain/levels/gamma-terms.ts';
import { levels } from '#src/analytics/domain/levels/levels.ts';
import { maxPain } from '#src/analytics/domain/levels/max-pain.ts';
import { strikeProfile } from '#src/analytics/domain/levels/strike-profile.ts';
import { bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import { definition, fixtureBook, missBy } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

const book = fixtureBook();
const sums = exposures(book);

test('GEX, VEX, theta and the gamma ratio of the fixture are those of the definitions', () => {
  expect(missBy(sums.gex, definition('gex_1pct').expected, definition('gex_1pct'))).toBeLessThanOrEqual(1);
  expect(missBy(sums.vex, definition('vex_1pt').expected, definition('vex_1pt'))).toBeLessThanOrEqual(1);
  expect(missBy(sums.tex, definition('theta_1d').expected, definition('theta_1d'))).toBeLessThanOrEqual(1);
  expect(missBy(sums.gex / sums.gexAbs, definition('ngr').expected, definition('ngr'))).toBeLessThanOrEqual(1);
});

test('walls, absolute gamma and cumulative low of the fixture are those of the definitions', () => {
  const marks = levels(book, strikeProfile(book, sums.gexByContract));
  expect(marks.call_wall).toBe(definition('call_wall').expected);
  expect(marks.abs_gamma).toBe(definition('abs_gamma_strike').expected);
  const low = definition('hvl_cum');
  expect(missBy(marks.hvl_cumulative_gex ?? 0, low.expected, low)).toBeLessThanOrEqual(1);
  expect(marks.atm_volatility).toBeCloseTo(0.150649, 12);
  expect(marks.expected_move_1d).toBeCloseTo(6000 * 0.150649 * Math.sqrt(1 / 252), 9);
});

test('the one-pass exposures are the sums of the closed-form Greeks', () => {
  fc.assert(
    fc.property(books, (random) => {
      const total = { dex: 0, gex: 0, vex: 0, cex: 0, tex: 0 };
      const { multiplier: m, spot } = random;
      for (let i = 0; i < random.contracts; i++) {
        const { years, rate, dividend } = random.expiries[random.expiry[i]!]!;
        const isCall = random.isCall[i] === 1;
        const one = {
          isCall,
          spot,
          strike: random.strike[i]!,
          years,
          volatility: random.volatility[i]!,
          rate,
          dividend,
        };
        const greeks = bsmGreeks(one);
        const n = random.position[i]! * m;
        total.dex += n * greeks.delta * spot;
        total.gex += n * greeks.gamma * spot * spot * 0.01;
        total.vex += n * greeks.vanna * spot * 0.01;
        total.cex += (n * greeks.charm * spot) / 365;
        total.tex += (n * greeks.theta) / 365;
      }
      const found = exposures(random);
      for (const name of ['dex', 'gex', 'vex', 'cex', 'tex'] as const) {
        const scale = Math.abs(total[name]) + 1e-3 * found.gexAbs + 1;
        expect(Math.abs(found[name] - total[name]) / scale, name).toBeLessThan(1e-10);
      }
      expect(Math.abs(found.gex)).toBeLessThanOrEqual(found.gexAbs * (1 + 1e-12));
    }),
  );
});

test('gamma and delta do not depend on the clock that volatility and time are measured in', () => {
  fc.assert(
    fc.property(books, fc.double({ min: 0.3, max: 3, noNaN: true }), (calendar, pace) => {
      const business: Book = {
        ...calendar,
        expiries: calendar.expiries.map((expiry) => ({
          ...expiry,
          years: expiry.years * pace,
          rate: expiry.rate / pace,
          dividend: expiry.dividend / pace,
        })),
        volatility: calendar.volatility.map((sigma) => sigma / Math.sqrt(pace)),
      };
      const [a, b] = [exposures(calendar), exposures(business)];
      expect(Math.abs(a.gex - b.gex)).toBeLessThan(1e-9 * (a.gexAbs + 1));
      expect(Math.abs(a.dex - b.dex)).toBeLessThan(1e-9 * (Math.abs(a.dex) + a.gexAbs + 1));
    }),
  );
});

test('the profile by recurrence is the exact sum to 1e-11 of gross gamma at every spot', () => {
  fc.assert(
    fc.property(books, (random) => {
      const terms = gammaTerms(random);
      const { spots, gex } = gammaProfile(random, terms, 200);
      for (const [j, spot] of spots.entries()) {
        const room = 1e-11 * grossGammaAt(terms, spot) + 1e-30;
        expect(Math.abs(gex[j]! - gammaAt(terms, spot))).toBeLessThan(room + 1e-25 * grossGammaAt(terms, random.spot));
      }
      const here = exposures(random).gex;
      expect(Math.abs(gammaAt(terms, random.spot) - here)).toBeLessThan(1e-10 * (Math.abs(here) + sums.gexAbs));
    }),
    { numRuns: 30 },
  );
});

test('max pain is the strike with the least payout over all listed strikes', () => {
  fc.assert(
    fc.property(books, (random) => {
      const found = maxPain(random);
      for (const e of random.expiries.keys()) {
        const rows = Array.from(random.expiry.keys()).filter((i) => random.expiry[i] === e);
        const payout = (level: number) =>
          rows.reduce((sum, i) => {
            const inside = (random.isCall[i] === 1 ? 1 : -1) * (level - random.strike[i]!);
            return sum + random.openInterest[i]! * Math.max(inside, 0);
          }, 0);
        const best = Math.min(...rows.map((i) => payout(random.strike[i]!)));
        if (rows.some((i) => random.openInterest[i]! > 0)) expect(payout(found[e]!)).toBeCloseTo(best, 3);
        else expect(found[e]).toBeNull();
      }
    }),
  );
});
