import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { gammaFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { gammaProfile } from '#src/analytics/domain/levels/gamma-profile.ts';
import { gammaAt, gammaTerms } from '#src/analytics/domain/levels/gamma-terms.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { fixtureBook, oracleCases } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

function longOnly(book: Book): Book {
  return { ...book, position: book.position.map(Math.abs) };
}

test.each(oracleCases('flip_multi'))('%s: every flip is found with its direction', (_, { inputs, expected, tol }) => {
  const { status, flips, primary } = gammaFlips(fixtureBook(inputs));
  expect(status).toBe('ok');
  expect(flips.map(({ direction }) => direction)).toEqual(
    expected.map((flip: { direction: string }) => flip.direction),
  );
  for (const [i, flip] of flips.entries()) expect(Math.abs(flip.level - expected[i].level)).toBeLessThan(tol);
  expect(primary?.direction).toBe('neg_to_pos');
});

test('the lobe of an option five minutes before the close is found between the points of the grid', () => {
  const inputs = oracleCases('flip_multi')[0]![1].inputs;
  const [, , lobe] = inputs.contracts;
  const near = { ...lobe, T: 5 / (365 * 24 * 60), n: -300 };
  const { flips } = gammaFlips(fixtureBook({ ...inputs, contracts: [...inputs.contracts.slice(0, 2), near] }));
  expect(flips.map(({ direction }) => direction)).toEqual(['neg_to_pos', 'pos_to_neg', 'neg_to_pos']);
  expect((flips[2]?.level ?? 0) - (flips[1]?.level ?? 0)).toBeLessThan(20);
});

test.each([10, 1, 0.1])('the profile %s seconds before settlement is that of the sum over contracts', (seconds) => {
  const [spot, count, iv, T] = [6000, 401, 0.1, seconds / (365 * 24 * 3600)];
  // bells far narrower than a step of the grid, their peaks up to ten deviations beside one of its points
  const contracts = Array.from({ length: 21 }, (_, i) => {
    const point = Math.log(spot * 0.85) + (100 + i) * (Math.log(1.15 / 0.85) / (count - 1));
    return { type: 'call' as const, strike: Math.exp(point + (i - 10) * iv * Math.sqrt(T)), T, iv, oi: 100 };
  });
  const book = fixtureBook({ spot, r: 0, q: 0, multiplier: 100, contracts });
  const terms = gammaTerms(book);
  const { spots, gex } = gammaProfile(book, terms, count);
  const most = gex.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  expect(most).toBeGreaterThan(0);
  for (const [i, at] of spots.entries()) expect(Math.abs(gex[i]! - gammaAt(terms, at)) / most).toBeLessThan(1e-6);
});

test.each([3600, 600, 60])(
  '%s seconds before a close every flip is found that a search of 30,000 spots shows',
  (seconds) => {
    for (const seed of ['a', 'b', 'c']) {
      const random = randomStream(`flips ${seed}`);
      const strikes = Array.from({ length: 121 }, (_, i) => 5700 + 5 * i);
      const contracts = [seconds / (365 * 86_400), 1 / 365, 0.1].flatMap((T) =>
        strikes.map((strike) => ({
          type: 'call' as const,
          strike,
          T,
          iv: 0.12 + 0.4 * Math.abs(strike / 6000 - 1),
          oi: 0,
          n: 500 * random.normal(),
        })),
      );
      const book = fixtureBook({ spot: 6000, r: 0, q: 0, multiplier: 100, contracts });
      const terms = gammaTerms(book);
      const changes: number[] = [];
      let before = 0;
      // in the middle, where no gamma is too small to count
      for (let level = 5650; level < 6350; level += 700 / 30_000) {
        const value = gammaAt(terms, level);
        if (before !== 0 && value > 0 !== before > 0) changes.push(level);
        before = value;
      }
      const found = gammaFlips(book).flips.filter(({ level }) => level > 5650 && level < 6350);
      expect(found).toHaveLength(changes.length);
      for (const [i, { level }] of found.entries()) expect(Math.abs(level - changes[i]!)).toBeLessThan(0.024);
    }
  },
);

test('the slope has the sign of the direction and is the derivative of the profile', () => {
  const book = fixtureBook();
  const terms = gammaTerms(book);
  for (const { level, slope, direction, expiries_driving } of gammaFlips(book).flips) {
    const numeric = (gammaAt(terms, level + 0.01) - gammaAt(terms, level - 0.01)) / 0.02;
    expect(slope / numeric).toBeCloseTo(1, 6);
    expect(slope > 0).toBe(direction === 'neg_to_pos');
    expect(expiries_driving.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-12);
  }
});

test('a book without short positions has no flip, and one without positions is degraded', () => {
  expect(gammaFlips(longOnly(fixtureBook()))).toEqual({ status: 'none_in_range', flips: [], primary: null });
  const empty = { ...fixtureBook(), position: new Float64Array(42) };
  expect(gammaFlips(empty)).toEqual({ status: 'degraded_chain', flips: [], primary: null });
});

test('a book that holds under half of the open interest lists its flips and names none primary', () => {
  const { status, flips, primary } = gammaFlips(fixtureBook(), 0.4);
  expect([status, flips.length, primary]).toEqual(['degraded_chain', 1, null]);
});

test('every flip is a root, and flips alternate in direction', () => {
  fc.assert(
    fc.property(books, (book) => {
      const { flips } = gammaFlips(book);
      const terms = gammaTerms(book);
      for (const [i, { level, direction }] of flips.entries()) {
        const rise = gammaAt(terms, level * (1 + 1e-9)) - gammaAt(terms, level * (1 - 1e-9));
        expect(rise > 0).toBe(direction === 'neg_to_pos');
        if (i > 0) expect(direction).not.toBe(flips[i - 1]?.direction);
      }
    }),
    { numRuns: 200 },
  );
});
