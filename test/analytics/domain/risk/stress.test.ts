import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { hedgedBook, hedgeFlow } from '#src/analytics/domain/hedging/hedge-flow.ts';
import { stressBook } from '#src/analytics/domain/risk/stress.ts';
import { combineStress, type PortfolioMember } from '#src/analytics/domain/risk/stress-portfolio.ts';
import { StressResult, type StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { AppError } from '#src/lib/errors.ts';
import { definition, fixtureBook, missBy } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

const stress = (scenario: StressScenario) => stressBook(fixtureBook(), [scenario], 400e9)[0]!;

test('net GEX and hedged P&L of the fixture are those of the definitions in all five scenarios', () => {
  const item = definition('stress');
  for (const { spot_shock_pct, vol_shock_pct, net_gex, hedged_pnl } of item.expected) {
    const result = stress({ spot_shock_pct, vol_shock_pct });
    expect(missBy(result.net_gex, net_gex, item)).toBeLessThanOrEqual(1);
    expect(missBy(result.hedged_pnl, hedged_pnl, item)).toBeLessThanOrEqual(1);
  }
});

test('the parts sum to both totals, and every result fits its schema', () => {
  const shock = fc.double({ min: -20, max: 20, noNaN: true });
  const days = fc.constantFrom(0, 0.1, 1, 5, 40, 400);
  fc.assert(
    fc.property(books, shock, shock, days, (book, spot_shock_pct, vol_shock_pct, passed) => {
      const [result] = stressBook(book, [{ spot_shock_pct, vol_shock_pct, days: passed }], 1e9);
      const { delta, gamma, vega, vanna, charm, theta, residual } = result!.pnl_parts;
      const hedged = gamma + vega + vanna + charm + theta + residual;
      const room = 1e-12 * [delta, gamma, vega, vanna, charm, theta].reduce((sum, part) => sum + Math.abs(part), 1);
      expect(Math.abs(hedged - result!.hedged_pnl)).toBeLessThan(room + 1e-12 * Math.abs(residual));
      expect(Math.abs(hedged + delta - result!.unhedged_pnl)).toBeLessThan(room + 1e-12 * Math.abs(residual));
      expect(Value.Check(StressResult, result)).toBe(true);
    }),
  );
});

test('points are added to every volatility: of a flat smile they are the relative change that has their size', () => {
  const flat = { ...fixtureBook(), volatility: fixtureBook().volatility.map(() => 0.2) };
  const [points, relative] = stressBook(flat, [{ vol_points: 5 }, { vol_shock_pct: 25 }], 400e9);
  for (const name of ['net_gex', 'hedged_pnl', 'hedge_flow', 'vol_points'] as const)
    expect(points![name]! / relative![name]!, name).toBeCloseTo(1, 9);
  expect(points!.pnl_parts.vega / relative!.pnl_parts.vega).toBeCloseTo(1, 9);
  expect([points!.vol_shift_points, points!.vol_shock_pct, relative!.vol_shift_points]).toEqual([5, 0, 0]);
  const [both, fallen] = stressBook(
    flat,
    [{ spot_shock_pct: -3, vol_points: 5, ssr: 1 }, { spot_shock_pct: -3 }],
    400e9,
  );
  expect(both!.hedged_pnl).not.toBe(fallen!.hedged_pnl);
  expect(both!.spot).toBe(fallen!.spot);
});

test('time alone is decay: theta and what it leaves of the full reprice', () => {
  const { pnl_parts, hedged_pnl } = stress({ days: 0.1 });
  expect(pnl_parts).toMatchObject({ delta: 0, gamma: 0 });
  expect(Math.abs(pnl_parts.vega) + Math.abs(pnl_parts.vanna)).toBe(0);
  expect(hedged_pnl).toBeCloseTo(pnl_parts.theta + pnl_parts.residual, 3);
});

test('no shock changes nothing', () => {
  const result = stress({});
  expect([result.unhedged_pnl, result.hedged_pnl, result.hedge_flow]).toEqual([0, 0, expect.closeTo(0, -2)]);
  expect(result.settled_contracts).toBe(0);
});

test('contracts that expire within the days settle to intrinsic value and leave the book', () => {
  const after = stress({ days: 1, spot_shock_pct: 1 });
  expect(after.settled_contracts).toBe(14);
  const end = stress({ days: 365 });
  expect([end.settled_contracts, end.net_gex, end.gex_abs, end.regime.state]).toEqual([42, 0, 0, null]);
});

test('the hedge flow is that of the flow forecast, whatever settles meanwhile', () => {
  const shock = fc.double({ min: -20, max: 20, noNaN: true });
  const days = fc.constantFrom(0, 0.1, 1, 5, 40, 400);
  fc.assert(
    fc.property(books, fc.boolean(), shock, days, (anyBook, blended, spot_shock_pct, passed) => {
      const book = { ...anyBook, blended };
      const [result] = stressBook(book, [{ spot_shock_pct, days: passed }], 1e9);
      const hedged = hedgedBook(book, new Float64Array(book.expiries.length));
      const flow = hedgeFlow(hedged, { spotReturn: spot_shock_pct / 100, years: passed / 365, volPoints: 0 });
      const size = result!.spot * book.multiplier * book.position.reduce((sum, n) => sum + Math.abs(n), 0);
      expect(Math.abs(result!.hedge_flow - flow)).toBeLessThanOrEqual(1e-9 * size);
    }),
  );
});

test('with a stickiness of the skew volatilities slide along it, as in the flow forecast; one is sticky strike', () => {
  const book = fixtureBook();
  const skewAt = (e: number) => -0.1 - 0.02 * e;
  for (const [ssr, spot_shock_pct] of [
    [1.5, -5],
    [0, 3],
    [2, 8],
  ] as const) {
    const [slid] = stressBook(book, [{ spot_shock_pct, ssr }], 4e11, skewAt);
    const slopes = volatilitySlopes(book, { regime: 'ssr', ssr, skewAt });
    const flow = hedgeFlow(hedgedBook(book, slopes), { spotReturn: spot_shock_pct / 100, years: 0, volPoints: 0 });
    expect(slid!.hedge_flow / flow).toBeCloseTo(1, 9);
    expect(slid!.ssr).toBe(ssr);
    const sticky = stress({ spot_shock_pct });
    expect(slid!.hedged_pnl).not.toBeCloseTo(sticky.hedged_pnl, 0);
    expect(stressBook(book, [{ spot_shock_pct, ssr: 1 }], 4e11, skewAt)).toEqual([sticky]);
    // without a smile nothing can slide, and nothing says that it did
    expect(stressBook(book, [{ spot_shock_pct, ssr }], 4e11)).toEqual([sticky]);
  }
});

test('a small shock leaves a residual of third order', () => {
  const residual = (percent: number) => Math.abs(stress({ spot_shock_pct: percent }).pnl_parts.residual);
  expect(residual(0.02) / residual(0.01)).toBeGreaterThan(6);
  expect(residual(0.02) / residual(0.01)).toBeLessThan(10);
});

test('a volatility shock is relative, and its points at the money are given beside it', () => {
  expect(stress({ vol_shock_pct: 10 }).vol_points).toBeCloseTo(0.1 * 15.0649, 10);
});

test('shocks that leave nothing, negative days and numbers that are not finite are refused', () => {
  for (const scenario of [
    { spot_shock_pct: -100 },
    { vol_shock_pct: -100 },
    { days: -1 },
    { spot_shock_pct: Number.NaN },
    { days: Infinity },
  ]) {
    expect(() => stress(scenario)).toThrow(AppError);
  }
});

const member = (symbol: string, weight: number, scenario: StressScenario): PortfolioMember => ({
  symbol,
  weight,
  result: stress(scenario),
  advUsd: 400e9,
  sigmaD: 0.01,
});

test('weights are normalised and net GEX is their weighted sum', () => {
  const one = combineStress([member('SPX', 1, { spot_shock_pct: 2 })]);
  const two = combineStress([member('SPX', 3, { spot_shock_pct: 2 }), member('SPY', 3, { spot_shock_pct: 2 })]);
  expect(two.net_gex).toBeCloseTo(one.net_gex, -2);
  expect(two.portfolio_return).toBeCloseTo(one.portfolio_return ?? 0, 12);
  expect(two.members.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
});

test('dealers who buy into a rally amplify it, those who sell damp it', () => {
  for (const spot_shock_pct of [2, -2]) {
    const long = member('SPX', 1, { spot_shock_pct });
    for (const flow of [1e9, -1e9]) {
      const one = { ...long, result: { ...long.result, hedge_flow: flow } };
      const { amplification } = combineStress([one]).members[0]!;
      expect(Math.sign(amplification ?? 0)).toBe(Math.sign(flow * spot_shock_pct));
      expect(Math.abs(amplification ?? 0)).toBeCloseTo((0.7 * 0.01 * Math.sqrt(1 / 400)) / 0.02, 12);
    }
  }
});

test('without a move of spot the amplification is null, and the return is what the hedging alone makes', () => {
  const { portfolio_return, status, members } = combineStress([member('SPX', 1, { vol_shock_pct: 20 })]);
  expect([portfolio_return, status, members[0]?.amplification]).toEqual([members[0]?.impact, 'ok', null]);
  expect(members[0]?.impact).not.toBeNull();
});

test('a short weight is allowed, weights that sum to zero or are not finite are refused', () => {
  expect(combineStress([member('SPX', 2, {}), member('SPY', -1, {})]).members.map(({ weight }) => weight)).toEqual([
    2, -1,
  ]);
  expect(() => combineStress([member('SPX', 0, { spot_shock_pct: 1 })])).toThrow(AppError);
  expect(() => combineStress([member('SPX', -1, {}), member('SPY', 1, {})])).toThrow(AppError);
  expect(() => combineStress([member('SPX', Number.NaN, {})])).toThrow(AppError);
  expect(() => combineStress([])).toThrow(AppError);
});
