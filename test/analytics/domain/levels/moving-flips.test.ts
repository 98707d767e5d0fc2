import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { expiryBuckets } from '#src/analytics/domain/book/expiry-buckets.ts';
import { volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { bucketFlips } from '#src/analytics/domain/levels/bucket-flips.ts';
import { BUCKET_FLIPS } from '#src/analytics/domain/levels/bucket-flips-schema.ts';
import { GAMMA_FLIPS } from '#src/analytics/domain/levels/flips-schema.ts';
import { gammaFlips, movingFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { smileProfile } from '#src/analytics/domain/levels/smile-scan.ts';
import { bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import { anyBook, slopes as anySlopes } from '#test/analytics/degenerate-books.ts';
import { fixtureSkew, fixtureSsr } from '#test/analytics/metric-oracle.ts';
import { fixtureBook } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

const book = fixtureBook();

/** Net and gross gamma by the closed form, each volatility slid along. */
function gammaAtSpot(given: Book, slopes: Float64Array, spot: number) {
  let [net, gross] = [0, 0];
  for (let i = 0; i < given.contracts; i++) {
    const e = given.expiry[i]!;
    const { years, rate, dividend } = given.expiries[e]!;
    const still = given.volatility[i]!;
    const volatility = Math.max(still + slopes[e]! * Math.log(spot / given.spot), 0.1 * still);
    const one = { isCall: given.isCall[i] === 1, strike: given.strike[i]!, spot, years, rate, dividend, volatility };
    const gamma = bsmGreeks(one).gamma * given.multiplier * spot * spot * 0.01;
    net += given.position[i]! * gamma;
    gross += Math.abs(given.position[i]!) * gamma;
  }
  return { net, gross };
}

test('the profile of a moving smile is the sum of the closed-form gammas at slid volatilities', () => {
  fc.assert(
    fc.property(books, anySlopes, (random, slopes) => {
      const { spots, gex } = smileProfile(random, slopes, 9);
      // Beyond nine deviations a bell is left out: 3e-18 of its peak, which may stand anywhere and be sharp.
      const top = random.position.reduce((sum, n) => sum + Math.abs(n), 1) * random.multiplier * random.spot;
      for (const [j, spot] of spots.entries()) {
        const { net, gross } = gammaAtSpot(random, slopes, spot);
        expect(Math.abs(gex[j]! - net)).toBeLessThan(1e-9 * gross + 1e-14 * top);
      }
    }),
    { numRuns: 40 },
  );
});

test('with volatilities that stay, the moving search finds the flips of sticky strike', () => {
  fc.assert(
    fc.property(books, (random) => {
      const still = gammaFlips(random).flips.map(({ level, direction }) => [level.toFixed(4), direction]);
      const moving = movingFlips(random, new Float64Array(3)).flips;
      expect(moving.map(({ level, direction }) => [level.toFixed(4), direction])).toEqual(still);
    }),
    { numRuns: 60 },
  );
});

test('every moving flip is a root of the closed form, its slope the derivative there', () => {
  fc.assert(
    fc.property(books, anySlopes, (random, slopes) => {
      for (const { level, slope, direction } of movingFlips(random, slopes).flips) {
        const { net, gross } = gammaAtSpot(random, slopes, level);
        expect(Math.abs(net)).toBeLessThan(1e-6 * gross);
        expect(slope > 0).toBe(direction === 'neg_to_pos');
      }
    }),
    { numRuns: 60 },
  );
});

test('a skew moves the flip of the fixture, one way for sticky moneyness and the other for a ratio above one', () => {
  const level = (regime: 'sticky_strike' | 'sticky_moneyness' | 'ssr') =>
    movingFlips(book, volatilitySlopes(book, { regime, ssr: fixtureSsr, skewAt: fixtureSkew })).primary!.level;
  const still = level('sticky_strike');
  expect(still).toBeCloseTo(gammaFlips(book).primary!.level, 6);
  expect(Math.sign(level('sticky_moneyness') - still)).toBe(-Math.sign(level('ssr') - still));
  expect(Math.abs(level('ssr') - still)).toBeGreaterThan(0.01);
});

test('moving flips of any book fit the schema, and a book without positions is degraded', () => {
  fc.assert(
    fc.property(anyBook, anySlopes, (given, slopes) => {
      expect([...Value.Errors(GAMMA_FLIPS, movingFlips(given, slopes))]).toEqual([]);
    }),
    { numRuns: 40 },
  );
  const empty = { ...book, position: new Float64Array(42) };
  expect(movingFlips(empty, new Float64Array(3)).status).toBe('degraded_chain');
  expect(movingFlips(book, new Float64Array(3), null).status).toBe('degraded_chain');
});

// Half a day before the close of a third Friday: the fixture's first expiry settles at it, the second in a week.
const asOf = Date.parse('2026-11-20T09:00:00Z');

test('buckets: today, within seven days, third Fridays, and all', () => {
  expect(expiryBuckets(book, asOf)).toEqual({
    zero_dte: [true, false, false],
    week: [true, true, false],
    monthly: [true, false, false],
    all: [true, true, true],
  });
  const on = (...dates: string[]) => {
    const start = Date.parse('2025-04-10T14:00:00Z');
    const years = dates.map((date) => (Date.parse(`${date}T20:00:00Z`) - start) / (365 * 86_400_000));
    return expiryBuckets({ ...book, expiries: years.map((time) => ({ ...book.expiries[0]!, years: time })) }, start);
  };
  // Good Friday of 2025 was a third Friday; the Thursday before a third Friday with trading is no monthly.
  expect(on('2025-04-17', '2025-05-15', '2025-05-16', '2025-06-20').monthly).toEqual([true, false, true, true]);
});

test('the flips of a bucket are those of a book with its expiries alone, and known ones are taken as they are', () => {
  const found = bucketFlips({ book, asOf, coverage: 1 });
  expect([...Value.Errors(BUCKET_FLIPS, found)]).toEqual([]);
  expect(found.all.flips).toEqual(gammaFlips(book));
  const today = { ...book, position: book.position.map((n, i) => (book.expiry[i] === 0 ? n : 0)) };
  expect(found.zero_dte.flips).toEqual(gammaFlips(today));
  expect(found.zero_dte.flips.primary?.level).not.toBeCloseTo(found.all.flips.primary!.level, 0);
  const known = movingFlips(book, new Float64Array(3));
  expect(bucketFlips({ book, asOf, coverage: 1, all: known }).all.flips).toBe(known);
  const later = bucketFlips({ book, asOf: asOf + 6e7, coverage: 1, dynamics: { regime: 'ssr', skewAt: fixtureSkew } });
  expect([later.vol_regime, later.zero_dte.expiries, later.zero_dte.flips.status]).toEqual([
    'ssr',
    0,
    'degraded_chain',
  ]);
});
