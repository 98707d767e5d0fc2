import { expect, test } from 'vitest';
import { marketFigures, rememberedOf } from '#src/analytics/domain/figures/market-figures.ts';
import { byGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import type { PreviousRegimes } from '#src/analytics/domain/regime/regime.ts';
import { syntheticMarket } from '#test/analytics/synthetic.ts';
import figureTask from '#workers/analytics/figure-market.thread.ts';
import tickTask from '#workers/analytics/tick-market.thread.ts';

const chain = syntheticMarket('SPX', { contracts: 200 }).chainAt(Date.parse('2025-11-17T17:00:00Z'));
const facts = { chain, advUsd: 4e11, session: null, realisedVolatility: null, open: null, flow: null };

test('the stability index of a generation is held against its own history, and against no other’s', () => {
  const shares = rememberedOf(marketFigures(facts)).rawShares;
  expect(shares['3']).toBeNull();
  expect(shares['2']).not.toBe(shares['1']);
  // each generation has stood a little lower than now for a month
  const rawShares = byGeneration((name) => Array.from({ length: 25 }, () => (shares[name] ?? 0) - 0.001));
  const own = marketFigures({ ...facts, rawShares }).generations;
  const others = marketFigures({ ...facts, rawShares: { '1': rawShares['1'] } }).generations;
  for (const name of ['1', '2', 'ensemble'] as const) {
    expect(own[name]!.dsi.percentile_252d).toBe(100);
    expect(own[name]!.dsi.trend_5d).toBeGreaterThan(0);
    expect(Math.abs(own[name]!.dsi.trend_5d!)).toBeLessThan(2);
    expect(others[name]!.dsi.percentile_252d).toBe(name === '1' ? 100 : null);
  }
});

test('a generation leaves its own regime slowly, and is not held in another’s', () => {
  const stateOf = (name: '1' | '2', previousRegimes: PreviousRegimes) =>
    marketFigures({ ...facts, previousRegimes }).generations[name]?.analytics.regime.state;
  // generation 2 stands at a ratio of -0.354, so near to the border of -0.35 that it stays on the side it was on
  expect(stateOf('2', {})).toBe('strong_negative');
  expect(stateOf('2', { '2': 'negative' })).toBe('negative');
  expect(stateOf('2', { '1': 'negative', ensemble: 'negative' })).toBe('strong_negative');
  expect(stateOf('1', { '1': 'negative' })).toBe('negative');
});

test('signals of a live market know how sure the sign of gamma is, by the ensemble', () => {
  const at = Date.parse('2025-11-20T17:00:00Z');
  const task = { symbol: 'SPX', at, seed: 21, contracts: 200, advUsd: 4e11 } as const;
  const ticked = tickTask(task);
  if ('failure' in ticked) throw new Error(ticked.failure.message);
  const past = { rawShares: byGeneration(() => []), moves: [] };
  const figured = figureTask({ ...task, chain: ticked.chain, past });
  if ('failure' in figured) throw new Error(figured.failure.message);
  const { data } = JSON.parse(figured.answers.get('gex:ensemble') ?? '') as {
    data: { estimate: { p_positive: number } };
  };
  expect(figured.observation.gex_p_positive).toBe(data.estimate.p_positive);
});
