import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { symmetricEigen } from '#src/analytics/domain/numerics/symmetric-eigen.ts';
import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { analyzePortfolio, type PortfolioUnderlying } from '#src/analytics/domain/risk/portfolio-analyze.ts';
import { PORTFOLIO_ANALYSIS, PORTFOLIO_ANALYZE_REQUEST } from '#src/analytics/domain/risk/portfolio-analyze-schema.ts';
import { type OptimizeMember, optimizePortfolio } from '#src/analytics/domain/risk/portfolio-optimize.ts';
import { PORTFOLIO_OPTIMIZE_REQUEST, PORTFOLIO_OPTIMUM } from '#src/analytics/domain/risk/portfolio-optimize-schema.ts';
import { assertCorrelation, shrunkCorrelation } from '#src/analytics/domain/statistics/correlation.ts';
import { betaTo } from '#src/analytics/domain/statistics/descriptive.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { AppError } from '#src/lib/errors.ts';

const underlying = (symbol: string, netGex: number, more: Partial<PortfolioUnderlying> = {}): PortfolioUnderlying => ({
  symbol,
  netGex,
  gexAbs: 2 * Math.abs(netGex),
  beta: 1,
  gir: netGex / 1e11,
  regime: 'positive',
  ...more,
});

test('weights are normalised, gamma is adjusted by the square of beta, effective gamma is the weighted GIR', () => {
  const found = analyzePortfolio([underlying('SPX', 4e9), underlying('QQQ', -1e9, { beta: 1.2 })], [3, 1]);
  expect(found.members.map(({ weight }) => weight)).toEqual([0.75, 0.25]);
  expect(found.net_gex).toBeCloseTo(0.75 * 4e9 - 0.25e9, 3);
  expect(found.net_gex_spx).toBeCloseTo(0.75 * 4e9 - 0.25e9 * 1.44, 3);
  expect(found.effective_gamma).toBeCloseTo(0.75 * 0.04 - 0.25 * 0.01, 14);
  expect(found.status).toBe('ok');
});

test('a missing beta or volatility makes its own total null, and says so', () => {
  const none = analyzePortfolio([underlying('SPX', 1e9), underlying('RUT', 1e8, { beta: null, gir: null })]);
  expect(none).toMatchObject({ net_gex_spx: null, effective_gamma: null, status: 'missing_beta_and_volatility' });
  expect(none.net_gex).toBeCloseTo(0.5 * 1.1e9, 3);
  expect(analyzePortfolio([underlying('RUT', 1e8, { beta: null })]).status).toBe('missing_beta');
  expect(analyzePortfolio([underlying('RUT', 1e8, { gir: null })]).status).toBe('missing_volatility');
});

test('an analysis fits its schema, its net never exceeds its gross, and only the weights’ proportions count', () => {
  const member = fc
    .tuple(fc.double({ min: -1e10, max: 1e10, noNaN: true }), fc.constantFrom(...regimeStates, null))
    .map(([gex, regime]) => underlying('SPY', gex, { regime }));
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (list, factor) => {
      const weights = list.map((_, i) => i + 1);
      const one = analyzePortfolio(list, weights);
      expect(Value.Check(PORTFOLIO_ANALYSIS, one)).toBe(true);
      expect(Math.abs(one.net_gex)).toBeLessThanOrEqual(one.gex_abs + 1e-3);
      const other = analyzePortfolio(
        list,
        weights.map((weight) => weight * factor),
      );
      expect(other.net_gex).toBeCloseTo(one.net_gex, 3);
    }),
  );
});

test('weights that sum to zero, are not finite, or are too few are refused', () => {
  const two = [underlying('SPX', 1), underlying('SPY', 1)];
  for (const weights of [[1, -1], [1], [Number.NaN, 1], [0.1 + 0.2, -0.3]]) {
    expect(() => analyzePortfolio(two, weights)).toThrow(AppError);
  }
});

test('beta of a series that is twice the index is two, over the times both have; too few have none', () => {
  const index = Array.from({ length: 30 }, (_, t) => (t % 7 === 3 ? null : Math.sin(t)));
  const double = index.map((value) => (value === null ? 1 : 2 * value + 0.5));
  expect(betaTo(double, index)).toBeCloseTo(2, 13);
  expect([
    betaTo(double.slice(0, 10), index),
    betaTo(
      double,
      index.map(() => 1),
    ),
  ]).toEqual([null, null]);
});

const series = (seed: string, count: number, length: number, common: number) => {
  const random = randomStream(seed);
  const shared = Array.from({ length }, () => random.normal());
  return Array.from({ length: count }, () => shared.map((value) => common * value + random.normal()));
};

test('correlation of a long sample is the true one, a short one is shrunk, and each is semi-definite', () => {
  const long = shrunkCorrelation(series('long', 3, 20_000, 1));
  if (long.status !== 'ok') throw new Error(long.status);
  expect(long.matrix[0]![1]).toBeGreaterThan(0.48);
  expect(long.matrix[0]![1]).toBeLessThan(0.52);
  expect(long.shrinkage).toBeLessThan(0.01);
  const none = shrunkCorrelation(series('none', 6, 25, 0));
  if (none.status !== 'ok') throw new Error(none.status);
  expect(none.shrinkage).toBeGreaterThan(0.4);
  for (const { matrix } of [long, none]) {
    expect(Math.min(...symmetricEigen(matrix).map(({ value }) => value))).toBeGreaterThan(-1e-12);
    assertCorrelation(matrix, matrix.length);
  }
});

test('two copies of one series have correlation one, still semi-definite; constants and short series have none', () => {
  const [one] = series('copy', 1, 60, 0);
  const twice = shrunkCorrelation([one!, one!]);
  if (twice.status !== 'ok') throw new Error(twice.status);
  expect(Math.min(...symmetricEigen(twice.matrix).map(({ value }) => value))).toBeGreaterThanOrEqual(-1e-12);
  expect(shrunkCorrelation([one!, one!.map(() => 0.01)]).status).toBe('constant_series');
  expect(shrunkCorrelation([one!, one!.map((value, t) => (t < 50 ? null : value))])).toEqual({
    status: 'too_few_observations',
    observations: 10,
  });
});

test.each([
  ['of the wrong size', [[1]]],
  [
    'that is not symmetric',
    [
      [1, 0.2],
      [0.3, 1],
    ],
  ],
  [
    'without ones',
    [
      [2, 0],
      [0, 1],
    ],
  ],
  [
    'beyond one',
    [
      [1, 1.2],
      [1.2, 1],
    ],
  ],
])('a matrix %s is no correlation', (_, matrix) => {
  expect(() => assertCorrelation(matrix, 2)).toThrow(AppError);
});

test('a matrix that no series can have is no correlation', () => {
  const impossible = [
    [1, 0.9, 0.9],
    [0.9, 1, -0.9],
    [0.9, -0.9, 1],
  ];
  expect(() => assertCorrelation(impossible, 3)).toThrow('positive semi-definite');
});

const member = (symbol: string, sigmaD: number, more: Partial<OptimizeMember> = {}): OptimizeMember => ({
  symbol,
  sigmaD,
  regime: 'transition',
  gir: 0.02,
  ...more,
});
const identity = (n: number) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 1 : 0)));

test('uncorrelated symbols are weighed by inverse variance, and the regime counts', () => {
  const found = optimizePortfolio([member('SPX', 0.01), member('RUT', 0.02)], identity(2));
  expect(found.members.map(({ weight }) => weight)).toEqual([expect.closeTo(0.8, 12), expect.closeTo(0.2, 12)]);
  expect(found.variance_d).toBeCloseTo(0.64e-4 + 0.16e-4, 14);
  expect(found.members.map(({ risk_share }) => risk_share)).toEqual([expect.closeTo(0.8, 10), expect.closeTo(0.2, 10)]);
  const calm = optimizePortfolio(
    [member('SPX', 0.01, { regime: 'strong_negative' }), member('RUT', 0.014)],
    identity(2),
  );
  expect(calm.members[0]!.weight).toBeCloseTo(0.5, 12);
});

test('targets of return and gamma are met, and their multipliers are the slopes of the variance', () => {
  const members = [
    member('SPX', 0.01, { expectedReturn: 0.05, gir: 0.03 }),
    member('QQQ', 0.014, { expectedReturn: 0.09, gir: -0.02 }),
    member('IWM', 0.016, { expectedReturn: 0.07, gir: 0.01 }),
    member('NDX', 0.015, { expectedReturn: 0.1, gir: 0 }),
  ];
  const rho = [
    [1, 0.5, 0.6, 0.5],
    [0.5, 1, 0.4, 0.7],
    [0.6, 0.4, 1, 0.4],
    [0.5, 0.7, 0.4, 1],
  ];
  const at = (targetReturn: number) => optimizePortfolio(members, rho, { targetReturn, targetGamma: 0.01 });
  const found = at(0.072);
  expect(found.expected_return).toBeCloseTo(0.072, 12);
  expect(found.effective_gamma).toBeCloseTo(0.01, 12);
  const slope = (at(0.072 + 1e-5).variance_d! - at(0.072 - 1e-5).variance_d!) / 2e-5;
  expect(found.return_multiplier! / slope).toBeCloseTo(1, 5);
});

test.each([
  ['budget', { upper: 0.4 }, {}, [0, 0.8]],
  ['budget', { lower: 0.6 }, {}, [1.2, 2]],
  ['bounds', { lower: 0.6, upper: 0.5 }, {}, [null, null]],
  ['target_return', { expectedReturn: 0.05 }, { targetReturn: 0.06 }, [0.05, 0.05]],
  ['target_gamma', {}, { targetGamma: -0.1 }, [0.02, 0.02]],
] as const)('an infeasible %s is named, with what could be had', (constraint, more, targets, [low, high]) => {
  const found = optimizePortfolio([member('SPX', 0.01, more), member('SPY', 0.01, more)], identity(2), targets);
  expect(found.status).toBe('infeasible');
  expect(found.infeasible).toMatchObject({
    constraint,
    attainable_low: low === null ? null : expect.closeTo(low, 12),
    attainable_high: high === null ? null : expect.closeTo(high, 12),
  });
  expect(found.members.every(({ weight }) => weight === null)).toBe(true);
  expect(Value.Check(PORTFOLIO_OPTIMUM, found)).toBe(true);
});

test('the order of the symbols changes nothing but the order of the weights', () => {
  for (let run = 0; run < 60; run++) {
    const random = randomStream(`order ${run}`);
    const found = shrunkCorrelation(series(`order ${run}`, 5, 40, 1.5));
    if (found.status !== 'ok') throw new Error(found.status);
    const rho = found.matrix;
    const members = rho.map((_, i) =>
      member(`S${i}`, 0.005 + 0.02 * random.uniform(), { upper: 0.5, regime: regimeStates[i % 5]! }),
    );
    const order = [3, 0, 4, 2, 1];
    const straight = optimizePortfolio(members, rho);
    const turned = optimizePortfolio(
      order.map((i) => members[i]!),
      order.map((i) => order.map((j) => rho[i]![j]!)),
    );
    expect(straight.kkt_residual).toBeLessThan(1e-10);
    expect(straight.unique).toBe(true);
    for (const [k, i] of order.entries()) {
      expect(turned.members[k]!.weight).toBeCloseTo(straight.members[i]!.weight!, 9);
    }
    expect(Value.Check(PORTFOLIO_OPTIMUM, straight)).toBe(true);
  }
});

test('perfectly correlated symbols and one without risk are solved, not refused', () => {
  const ones = [
    [1, 1],
    [1, 1],
  ];
  const found = optimizePortfolio([member('SPX', 0.01), member('SPY', 0.01)], ones);
  expect(found).toMatchObject({ status: 'ok', unique: false });
  const riskless = optimizePortfolio([member('SPX', 0), member('SPY', 0.01)], identity(2));
  expect(riskless).toMatchObject({ status: 'ok', variance_d: 0 });
  expect(riskless.members.map(({ risk_share }) => risk_share)).toEqual([null, null]);
});

test('seven symbols, none, a sigma below zero and a target without its figures are refused', () => {
  const seven = Array.from({ length: 7 }, (_, i) => member(`S${i}`, 0.01));
  expect(() => optimizePortfolio(seven, identity(7))).toThrow('one to 6');
  expect(() => optimizePortfolio([], [])).toThrow(AppError);
  expect(() => optimizePortfolio([member('SPX', -1)], identity(1))).toThrow(AppError);
  expect(() => optimizePortfolio([member('SPX', 1)], identity(1), { targetReturn: 0.1 })).toThrow('expected_returns');
  expect(() => optimizePortfolio([member('SPX', 1, { gir: null })], identity(1), { targetGamma: 0 })).toThrow(
    'unknown',
  );
});

test('a request names each symbol once, and nothing it does not know', () => {
  for (const schema of [PORTFOLIO_ANALYZE_REQUEST, PORTFOLIO_OPTIMIZE_REQUEST]) {
    expect(Value.Check(schema, { symbols: ['SPX', 'QQQ'] })).toBe(true);
    for (const body of [
      { symbols: [] },
      { symbols: ['SPX', 'SPX'] },
      { symbols: ['TSLA'] },
      { symbols: ['SPX'], x: 1 },
    ]) {
      expect(Value.Check(schema, body)).toBe(false);
    }
  }
  expect(Value.Check(PORTFOLIO_OPTIMIZE_REQUEST, { symbols: ['SPX'], target_return: 0.1, lower: [0.2] })).toBe(true);
});
