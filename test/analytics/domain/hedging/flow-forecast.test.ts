import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { type FlowForecastInput, flowForecast } from '#src/analytics/domain/hedging/flow-forecast.ts';
import { FLOW_FORECAST } from '#src/analytics/domain/hedging/flow-forecast-schema.ts';
import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { normalNodes, quantilesOf } from '#src/analytics/domain/numerics/normal-nodes.ts';
import { bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import { anyBook, slopes as anySlopes } from '#test/analytics/degenerate-books.ts';
import { fixtureSkew, fixtureSsr, fixtureVolatility } from '#test/analytics/metric-oracle.ts';
import { fixtureBook } from '#test/analytics/oracle.ts';

const book = fixtureBook();
const slopes = volatilitySlopes(book, { regime: 'ssr', ssr: fixtureSsr, skewAt: fixtureSkew });
const session = { open: Date.parse('2026-11-20T14:30:00Z'), close: Date.parse('2026-11-20T21:00:00Z') };
const input: FlowForecastInput = {
  book,
  slopes,
  atmVolatility: fixtureVolatility,
  advUsd: 400e9,
  asOf: session.open + 3.6e6,
  session,
};
const one = (spotReturn: number, years: number, volPoints: number, given = input) =>
  flowForecast({ ...given, scenarios: [{ spotReturn, years, volPoints }] }).scenarios[0]!;

test('a scenario is the change of every contract’s delta, each at its own slid volatility', () => {
  const [move, years, points] = [0.012, 4 / 8760, 1.5];
  const spot = 6000 * (1 + move);
  let shares = 0;
  for (let i = 0; i < book.contracts; i++) {
    const e = book.expiry[i]!;
    const { years: all, rate, dividend } = book.expiries[e]!;
    const own = { isCall: book.isCall[i] === 1, strike: book.strike[i]!, rate, dividend };
    const volatility = book.volatility[i]! + 0.5 * fixtureSkew(e) * Math.log1p(move) + points / 100;
    const after = bsmGreeks({ ...own, spot, years: all - years, volatility }).delta;
    const before = bsmGreeks({ ...own, spot: 6000, years: all, volatility: book.volatility[i]! }).delta;
    shares += book.position[i]! * 100 * (after - before);
  }
  expect(Math.abs(one(move, years, points).flow_usd / (-shares * spot) - 1)).toBeLessThan(1e-9);
});

test('for small moves the parts are the exposures and the residual is of second order', () => {
  const sums = exposures(book);
  const up = one(1e-5, 0, 0, { ...input, slopes: new Float64Array(3) });
  expect(up.gamma_usd / (-sums.gex * 1e-3)).toBeCloseTo(1, 9);
  expect(one(0, 0, 0.01).vanna_usd / (-sums.vex * 0.01)).toBeCloseTo(1, 9);
  expect(one(0, 1e-6, 0).charm_usd / (-sums.cex * 365e-6)).toBeCloseTo(1, 2);
  const residual = (step: number) => Math.abs(one(step, 0, 0).residual_usd);
  expect(residual(2e-4) / residual(1e-4)).toBeGreaterThan(3);
  expect(residual(2e-4) / residual(1e-4)).toBeLessThan(5);
});

test('the parts sum to the flow to the last bit, and every answer fits its schema, on any book', () => {
  const move = fc.record({
    spotReturn: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    years: fc.constantFrom(0, 1e-5, 1e-3, 0.1, 2),
    volPoints: fc.double({ min: -40, max: 40, noNaN: true }),
  });
  fc.assert(
    fc.property(anyBook, anySlopes, move, fc.constantFrom(null, 0.05, 0.8), (given, slope, scenario, atmVolatility) => {
      const found = flowForecast({ ...input, book: given, slopes: slope, atmVolatility, scenarios: [scenario] });
      expect([...Value.Errors(FLOW_FORECAST, found)]).toEqual([]);
      const { flow_usd, gamma_usd, vanna_usd, charm_usd, residual_usd } = found.scenarios[0]!;
      expect(gamma_usd + vanna_usd + charm_usd + residual_usd).toBe(flow_usd);
      for (const { p10_usd, p50_usd, p90_usd } of found.horizons) {
        expect(p10_usd <= p50_usd && p50_usd <= p90_usd).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('the nodes integrate powers of a normal variable, and give the quantiles of a linear one', () => {
  const moment = (n: number) => normalNodes.reduce((sum, [z, w]) => sum + w * z ** n, 0);
  for (const [n, value] of [1, 0, 1, 0, 3].entries()) expect(moment(n)).toBeCloseTo(value, n === 4 ? 2 : 4);
  // what a contract that settles makes: a step
  for (let at = -2; at <= 2; at += 0.01) {
    const beyond = normalNodes.reduce((sum, [z, w]) => sum + (z > at ? w : 0), 0);
    expect(Math.abs(beyond - normalCdf(-at))).toBeLessThan(0.051);
  }
  const [low, middle, high] = quantilesOf(
    normalNodes.map(([z]) => 5 - 2 * z),
    [0.1, 0.5, 0.9],
  );
  expect(low).toBeCloseTo(5 - 2 * 1.2816, 1);
  expect(middle).toBeCloseTo(5, 9);
  expect(high).toBeCloseTo(5 + 2 * 1.2816, 1);
});

test('the expected flow is that of a fine grid of returns', () => {
  const { horizons } = flowForecast(input);
  expect(horizons.map(({ horizon }) => horizon)).toEqual(['30m', 'close', '1d']);
  const [half] = horizons;
  const spread = fixtureVolatility * Math.sqrt(0.5 / 6.5 / 252);
  const count = 2001;
  let [sum, weights] = [0, 0];
  const scenarios = Array.from({ length: count }, (_, j) => {
    const z = -6 + (12 * j) / (count - 1);
    return { z, spotReturn: Math.expm1(spread * z - 0.5 * spread ** 2), years: 0.5 / 8760, volPoints: 0 };
  });
  const flows = flowForecast({ ...input, scenarios }).scenarios;
  for (const [j, { z }] of scenarios.entries()) {
    const weight = Math.exp(-0.5 * z * z);
    sum += weight * flows[j]!.flow_usd;
    weights += weight;
  }
  expect(Math.abs(half!.mean_usd / (sum / weights) - 1)).toBeLessThan(1e-3);
  expect(half!.impact_pct! * half!.mean_usd).toBeGreaterThan(0);
});

test('without a volatility there are scenarios and no distributions; after the close none until it', () => {
  const blind = flowForecast({
    ...input,
    atmVolatility: null,
    scenarios: [{ spotReturn: 0.01, years: 0, volPoints: 0 }],
  });
  expect([blind.status, blind.horizons, blind.scenarios[0]?.impact_pct]).toEqual(['no_volatility', [], null]);
  const nobody = { ...input.book, position: new Float64Array(input.book.contracts) };
  expect(flowForecast({ ...input, book: nobody })).toMatchObject({
    status: 'no_position',
    horizons: [],
    largest: null,
  });
  const late = flowForecast({ ...input, asOf: session.close });
  expect(late.horizons.map(({ horizon }) => horizon)).toEqual(['30m', '1d']);
});

test.each([
  { spotReturn: -1, years: 0, volPoints: 0 },
  { spotReturn: 0, years: -1, volPoints: 0 },
  { spotReturn: 0, years: 0, volPoints: Number.NaN },
])('a move that is no move is refused: %o', (move) => {
  expect(() => flowForecast({ ...input, scenarios: [move] })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});
