import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exposureEstimates } from '#src/analytics/domain/exposures/exposure-estimates.ts';
import type { ExposureEstimates } from '#src/analytics/domain/exposures/exposure-estimates-schema.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { applyTrades } from '#src/analytics/domain/positions/apply-trades.ts';
import { type DealerPositions, estimate } from '#src/analytics/domain/positions/dealer-positions.ts';
import { flowOneSidedness } from '#src/analytics/domain/positions/flow-state.ts';
import { ensemblePositions } from '#src/analytics/domain/positions/positions-ensemble.ts';
import { flowFrame, flowPositions } from '#src/analytics/domain/positions/positions-flow.ts';
import { priorPositions } from '#src/analytics/domain/positions/positions-prior.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';
import { scorePositions } from '#src/analytics/domain/positions/score-positions.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';
import { bookOf, call, later, nextDay, put, start, trade } from '#test/analytics/flow-fixture.ts';
import { books } from '#test/analytics/random-book.ts';

const positions = (generation: 2 | 3, mean: number[], loading: number[], variance: number[]): DealerPositions => ({
  generation,
  mean: Float64Array.from(mean),
  bucket: new Uint16Array(mean.length),
  loading: Float64Array.from(loading),
  variance: Float64Array.from(variance),
  coverage: 0.5,
  censoredShare: generation === 3 ? 0.2 : null,
});

test('the ensemble weighs by the inverse variance of net gamma, and leaves the convention out', () => {
  const { book } = bookOf({ [call]: 300, [put]: 100 });
  const gammaPerContract = Float64Array.of(2, 1);
  const second = positions(2, [10, 5], [3, 1], [0, 0]);
  const third = positions(3, [40, 9], [0, 0], [1, 0]);
  const mix = ensemblePositions([staticPositions(book), second, third], { gammaPerContract })!;
  // net gamma: (2·3 + 1·1)² = 49 of the second, 2²·1 = 4 of the third
  const weight = 1 / 49 / (1 / 49 + 1 / 4);
  expect(mix.mean[0]).toBeCloseTo(weight * 10 + (1 - weight) * 40, 12);
  expect(mix.mean[1]).toBeCloseTo(weight * 5 + (1 - weight) * 9, 12);
  expect(estimate(mix, gammaPerContract).sd! ** 2).toBeCloseTo(1 / (1 / 49 + 1 / 4), 12);
  const sure = positions(3, [40, 9], [0, 0], [0, 0]);
  const certainly = ensemblePositions([second, sure], { gammaPerContract, ignorance: Float64Array.of(1e6, 1e6) })!;
  expect([certainly.mean[1], certainly.variance[1]]).toEqual([9, 0]);
  expect(mix).toMatchObject({ generation: 'ensemble', coverage: 0.5, censoredShare: 0.2 });
  expect(ensemblePositions([staticPositions(book)], { gammaPerContract })).toBeNull();
});

test('every exposure of the ensemble lies between those of its members, in total, by strike and by expiry', () => {
  const column = (size: number) =>
    fc.array(fc.double({ min: -5000, max: 5000, noNaN: true }), { minLength: size, maxLength: size });
  const cases = books.chain((book) =>
    fc.tuple(fc.constant(book), ...Array.from({ length: 6 }, () => column(book.contracts))),
  );
  fc.assert(
    fc.property(cases, fc.boolean(), ([book, ...columns], hasTape) => {
      const [n2 = [], n3 = [], l2 = [], l3 = [], v2 = [], v3 = []] = columns;
      const size = (values: readonly number[]) => values.map(Math.abs);
      const members = [positions(2, n2, size(l2), size(v2)), positions(3, n3, size(l3), size(v3))];
      const coefficients = exposureCoefficients(book);
      const ignorance = hasTape ? book.openInterest.map((interest) => interest ** 2 / 3) : undefined;
      const mix = ensemblePositions(members, { gammaPerContract: coefficients.gex, ignorance })!;
      const [low, high, all] = [...members, mix].map((one) => figuresOf(exposureEstimates(book, one, coefficients)));
      const room = 1e-9 * (1 + Math.max(...low!.map(Math.abs), ...high!.map(Math.abs)));
      for (const [i, value] of all!.entries()) {
        expect(value).toBeGreaterThanOrEqual(Math.min(low![i]!, high![i]!) - room);
        expect(value).toBeLessThanOrEqual(Math.max(low![i]!, high![i]!) + room);
      }
    }),
  );
});

/** Totals, and net gamma at each of the strikes and expiries that any random book has. */
function figuresOf({ gex, dex, vex, cex, gex_by_strike, gex_by_expiry }: ExposureEstimates): number[] {
  const at = Array.from({ length: 25 }, (_, i) => gex_by_strike.find(({ strike }) => strike === 880 + 10 * i));
  return [gex, dex, vex, cex].map(({ value }) => value).concat([...at, ...gex_by_expiry].map((row) => row?.gex ?? 0));
}

test('a tape that saw nothing leaves the prior as it is; one that saw a busy day replaces it', () => {
  const { book, options } = bookOf({ [call]: 300, [later]: 0 });
  const gammaPerContract = Float64Array.of(0.1, 1);
  const busy = Array.from({ length: 400 }, (_, i) =>
    trade({ id: String(i), contract: later, price: i % 4 ? 10 : 10.2 }),
  );
  const mix = (trades: readonly OptionTrade[]) => {
    const state = applyTrades(start({ [call]: 300 }), trades, { asOf: Infinity });
    const { volume, ignorance } = flowFrame(book, state, options.symbols);
    const prior = priorPositions(book, { kind: 'index', delta: Float64Array.of(0.2, 0.2), volume });
    const flow = flowPositions(book, state, { ...options, bucket: prior.bucket });
    return { prior, flow, volume, ensemble: ensemblePositions([prior, flow], { gammaPerContract, ignorance })! };
  };
  const idle = mix([]);
  expect(idle.flow.loading[0]!).toBeGreaterThan(0);
  expect(idle.ensemble.mean).toEqual(idle.prior.mean);
  expect(idle.ensemble.loading).toEqual(idle.prior.loading);
  const { prior, flow, volume, ensemble } = mix(busy);
  expect(Array.from(volume)).toEqual([0, 4000]);
  expect(prior.loading[1]).toBeCloseTo(1000, 9);
  expect(flow.mean[1]).toBeCloseTo(0.66 * 2000, 6);
  expect(ensemble.mean[1]! / flow.mean[1]!).toBeGreaterThan(0.95);
  // one weight for the book: gamma is where the trades were
  const weight = (ensemble.mean[1]! - prior.mean[1]!) / (flow.mean[1]! - prior.mean[1]!);
  expect(ensemble.mean[0]).toBeCloseTo(prior.mean[0]! + weight * (flow.mean[0]! - prior.mean[0]!), 9);
});

/** The score of generation 3 where the quote rule is right as often as published, and a share of customers buys. */
function simulate(buyers: (contract: number) => number) {
  const stream = randomStream('simulated');
  const symbols = Array.from({ length: 150 }, (_, i) => `SPXW261127C0${6000 + 5 * i}000`);
  const truth = new Float64Array(symbols.length);
  const gross = new Float64Array(symbols.length);
  const trades: OptionTrade[] = [];
  for (const [i, contract] of symbols.entries()) {
    for (let j = 0; j < 60; j++) {
      const size = 1 + Math.floor(20 * stream.uniform());
      const bought = stream.uniform() < buyers(i);
      const right = stream.uniform() < 0.83;
      trades.push(trade({ id: `${i} ${j}`, contract, size, price: bought === right ? 10.2 : 10 }));
      truth[i]! += bought ? -size : size;
      gross[i]! += size;
    }
  }
  const { book, options } = bookOf(Object.fromEntries(symbols.map((symbol, i) => [symbol, gross[i]!])));
  const state = applyTrades(start({}), trades, { asOf: Infinity });
  const carried = nextDay(state, Object.fromEntries(symbols.map((symbol, i) => [symbol, gross[i]!])));
  const score = (more: { oneSidedness?: number }) =>
    scorePositions(truth, flowPositions(book, carried, { ...options, ...more }));
  return { found: score({}), bare: score({ oneSidedness: 0 }), oneSidedness: flowOneSidedness(carried) };
}

test.each([
  ['of two minds', () => 0.5, 0],
  ['a little one-sided, each contract in its own way', (i: number) => 0.3 + (0.4 * ((i * 37) % 100)) / 100, 0.053],
  ['one-sided, half of the contracts each way', (i: number) => (i % 2 === 0 ? 0.75 : 0.25), 0.25],
  ['all buying', () => 0.75, 0.25],
] as const)(
  'where signs err as published and customers are %s, four of five truths lie in the 80 %% band',
  (_, buyers, tau) => {
    const { found, bare, oneSidedness } = simulate(buyers);
    expect(Math.abs(oneSidedness - tau)).toBeLessThan(0.04);
    expect(found.contracts).toBe(150);
    expect(Math.abs(found.band_coverage! - 0.8)).toBeLessThan(0.1);
    expect(found.sign_accuracy_weighted!).toBeGreaterThan(0.75);
    expect(found.rmse!).toBeLessThan(1.05 * bare.rmse!);
    // The bare definition takes each trade for a toss of its own.
    if (tau === 0.25) expect(bare.band_coverage!).toBeLessThan(0.2);
  },
);
