import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { exposureEstimates } from '#src/analytics/domain/exposures/exposure-estimates.ts';
import { EXPOSURE_ESTIMATES } from '#src/analytics/domain/exposures/exposure-estimates-schema.ts';
import { exposureCoefficients, exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { bootstrapFlips, flipInterval } from '#src/analytics/domain/levels/flip-interval.ts';
import { FLIP_INTERVAL } from '#src/analytics/domain/levels/flip-interval-schema.ts';
import { gammaFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { strikeProfile } from '#src/analytics/domain/levels/strike-profile.ts';
import { type DealerPositions, estimate } from '#src/analytics/domain/positions/dealer-positions.ts';
import { priorPositions } from '#src/analytics/domain/positions/positions-prior.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';
import { coversExposure, POSITION_SCORE, scorePositions } from '#src/analytics/domain/positions/score-positions.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { fixtureBook } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

const book = fixtureBook();

function priorOf(of: Book): DealerPositions {
  const { dex } = exposureCoefficients(of);
  return priorPositions(of, { kind: 'index', delta: dex.map((value) => value / (of.multiplier * of.spot)) });
}

/** The static convention with an error of its own: a share of the open interest, common to each type. */
function uncertain(of: Book, share: number): DealerPositions {
  return {
    ...staticPositions(of),
    generation: 2,
    bucket: Uint16Array.from(of.isCall),
    loading: of.openInterest.map((interest) => share * interest),
    variance: of.openInterest.map((interest) => (0.01 * share * interest) ** 2),
  };
}

test('under the static convention the estimates are the exposures, in total and by strike', () => {
  fc.assert(
    fc.property(books, (random) => {
      const found = exposureEstimates(random, staticPositions(random));
      expect([...Value.Errors(EXPOSURE_ESTIMATES, found)]).toEqual([]);
      const sums = exposures(random);
      const room = 1e-9 * (sums.gexAbs + 1);
      expect(Math.abs(found.gex.value - sums.gex)).toBeLessThan(room);
      expect(Math.abs(found.gex_abs - sums.gexAbs)).toBeLessThan(room);
      const { strikes, gex } = strikeProfile(random, sums.gexByContract);
      for (const row of found.gex_by_strike) {
        expect(Math.abs(row.gex - gex[strikes.indexOf(row.strike)]!)).toBeLessThan(room);
        expect([row.sd, row.p_positive]).toEqual([null, null]);
      }
    }),
  );
});

test('strikes sum to the whole, and each one’s error is that of its rows alone', () => {
  fc.assert(
    fc.property(books, (random) => {
      const positions = priorOf(random);
      const coefficients = exposureCoefficients(random);
      const { gex, gex_abs, gex_by_strike, gex_by_expiry } = exposureEstimates(random, positions, coefficients);
      const settled = gex_by_expiry.reduce((sum, row) => sum + row.gex, 0);
      expect(Math.abs(settled - gex.value)).toBeLessThan(1e-11 * (gex_abs + 1));
      const total = gex_by_strike.reduce((sum, row) => sum + row.gex, 0);
      expect(Math.abs(total - gex.value)).toBeLessThan(1e-11 * (gex_abs + 1));
      expect(Math.abs(gex_abs - exposures(random).gexAbs)).toBeLessThan(1e-9 * (gex_abs + 1));
      for (const { strike, sd } of gex_by_strike) {
        const only = coefficients.gex.map((c, i) => (random.strike[i] === strike ? c : 0));
        expect(Math.abs(sd! - estimate(positions, only).sd!)).toBeLessThan(1e-9 * (sd! + 1));
      }
    }),
    { numRuns: 30 },
  );
});

test('the sd of an exposure is that of draws of the positions', () => {
  const positions = uncertain(book, 0.2);
  const { gex } = exposureCoefficients(book);
  const stream = randomStream('draws');
  const { value, sd } = estimate(positions, gex);
  const draws = Array.from({ length: 3000 }, () => {
    const z = [stream.normal(), stream.normal()];
    return positions.mean.reduce((sum, n, i) => {
      const own = Math.sqrt(positions.variance[i]!) * stream.normal();
      return sum + gex[i]! * (n + positions.loading[i]! * z[positions.bucket[i]!]! + own);
    }, 0);
  });
  const spread = Math.sqrt(draws.reduce((sum, draw) => sum + (draw - value) ** 2, 0) / draws.length);
  expect(Math.abs(spread / sd! - 1)).toBeLessThan(0.04);
});

test('the flip’s interval holds the flip, and its ends are roots one sd of gamma away', () => {
  const positions = uncertain(book, 0.05);
  const { primary } = gammaFlips(book);
  const found = flipInterval(book, positions, { primary, coverage: 1 });
  expect([...Value.Errors(FLIP_INTERVAL, found)]).toEqual([]);
  expect(found).toMatchObject({ status: 'ok', method: 'shift', resolved_share: 1 });
  expect(found.low!).toBeLessThan(primary!.level);
  expect(found.high!).toBeGreaterThan(primary!.level);
  // To first order the flip moves by sd(G)/slope.
  const { gex } = exposureCoefficients({ ...book, spot: primary!.level });
  const step = estimate(positions, gex).sd! / primary!.slope;
  expect((found.high! - found.low!) / (2 * step)).toBeCloseTo(1, 1);
});

test('the interval by draws agrees with the one by shift, and the same seed gives the same', () => {
  const positions = uncertain(book, 0.05);
  const { primary } = gammaFlips(book);
  const shift = flipInterval(book, positions, { primary, coverage: 1 });
  const drawn = bootstrapFlips(book, positions, { primary, coverage: 1, seed: 'SPX 2026-11-20', draws: 200 });
  expect(drawn).toMatchObject({ status: 'ok', method: 'bootstrap', resolved_share: 1 });
  expect((drawn.high! - drawn.low!) / (shift.high! - shift.low!)).toBeGreaterThan(0.75);
  expect((drawn.high! - drawn.low!) / (shift.high! - shift.low!)).toBeLessThan(1.35);
  expect(bootstrapFlips(book, positions, { primary, coverage: 1, seed: 'SPX 2026-11-20', draws: 200 })).toEqual(drawn);
});

test('without an error, a flip or an end, the interval says so', () => {
  const { primary } = gammaFlips(book);
  const state = (positions: DealerPositions, at = primary) =>
    flipInterval(book, positions, { primary: at, coverage: 1 });
  expect(state(staticPositions(book))).toMatchObject({ status: 'no_sd', low: null, high: null });
  expect(state(priorOf(book), null)).toMatchObject({ status: 'no_flip', low: null, high: null });
  expect(state(uncertain(book, 3))).toMatchObject({ status: 'open', resolved_share: 0 });
  const exact = state({ ...uncertain(book, 0), generation: 3 });
  expect(exact.low).toBeCloseTo(primary!.level, 9);
  expect(exact.high).toBeCloseTo(primary!.level, 9);
  expect(bootstrapFlips(book, staticPositions(book), { primary, coverage: 1, seed: '1' }).status).toBe('no_sd');
  const long = { ...uncertain(book, 0.01), mean: book.openInterest };
  const drawnLong = (at: typeof primary) =>
    bootstrapFlips(book, long, { primary: at, coverage: 1, seed: '1', draws: 8 });
  expect(drawnLong(null)).toMatchObject({ status: 'no_flip', low: null, high: null });
  expect(drawnLong(primary)).toMatchObject({ status: 'open', resolved_share: 0 });
});

test('a lack of gamma on one side leaves that end open', () => {
  const { primary } = gammaFlips(book);
  const wide = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1].map((share) => {
    return flipInterval(book, uncertain(book, share), { primary, coverage: 1 });
  });
  const oneSided = wide.filter(({ status }) => status === 'open_below' || status === 'open_above');
  expect(oneSided.length).toBeGreaterThan(0);
  for (const { status, low, high } of oneSided) expect(status === 'open_below' ? low : high).toBeNull();
});

test('positions drawn from what a generation states are within its band four times in five', () => {
  const positions = priorOf(book);
  const stream = randomStream('truth');
  let [inside, count, gexInside] = [0, 0, 0];
  const { gex } = exposureCoefficients(book);
  for (let round = 0; round < 400; round++) {
    const z = Array.from({ length: 64 }, () => stream.normal());
    const truth = positions.mean.map((n, i) => n + positions.loading[i]! * z[positions.bucket[i]!]!);
    const score = scorePositions(truth, positions);
    inside += score.band_coverage! * score.contracts;
    count += score.contracts;
    const total = truth.reduce((sum, n, i) => sum + n * gex[i]!, 0);
    if (coversExposure(total, estimate(positions, gex))) gexInside++;
  }
  expect(Math.abs(inside / count - 0.8)).toBeLessThan(0.05);
  expect(Math.abs(gexInside / 400 - 0.8)).toBeLessThan(0.06);
});

test('the score of a small truth, by hand', () => {
  const positions: DealerPositions = {
    generation: 3,
    mean: Float64Array.of(10, -10, 0, 4, 0),
    bucket: new Uint16Array(5),
    loading: Float64Array.of(3, 0, 1, 0, 0),
    variance: Float64Array.of(16, 1, 0, 0, 0),
    coverage: 1,
    censoredShare: 0,
  };
  const score = scorePositions(Float64Array.of(16, 30, -5, 4, 0), positions);
  expect([...Value.Errors(POSITION_SCORE, score)]).toEqual([]);
  expect(score).toEqual({
    generation: 3,
    contracts: 4,
    sign_accuracy: 2 / 3,
    sign_accuracy_weighted: 20 / 50,
    signed_share: 50 / 55,
    rmse: Math.sqrt((36 + 1600 + 25 + 0) / 4),
    bias: (-6 - 40 + 5 + 0) / 4,
    band_coverage: 0.5,
  });
  expect(scorePositions(new Float64Array(5), { ...positions, generation: 1 }).band_coverage).toBeNull();
  expect(scorePositions(new Float64Array(0), staticPositions({ ...book, contracts: 0 }))).toMatchObject({
    contracts: 0,
    rmse: null,
    sign_accuracy: null,
  });
});
