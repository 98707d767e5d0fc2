import { expect, test } from 'vitest';
import { backfillInstant, endedSessions } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import type { ModelOptions } from '#src/analytics/domain/figures/model-options-schema.ts';
import { skewStickiness } from '#src/analytics/domain/regime/skew-stickiness.ts';
import { syntheticMarket } from '#test/analytics/synthetic.ts';

const market = syntheticMarket('SPX', { contracts: 200 });
const facts = { advUsd: 4e11, session: null, realisedVolatility: null, open: null, flow: null };

/** What the history keeps of a day. */
function remembered(date: string) {
  const chain = market.chainAt(backfillInstant(date));
  const { skew30d, generations } = marketFigures({ ...facts, chain });
  return { spot: chain.spot, skew: skew30d!, volatility: generations['1']!.analytics.levels.atm_volatility! };
}

test('the ratio that the market hides is found from what its days leave behind', () => {
  const days = endedSessions(Date.parse('2025-12-20T00:00:00Z'), 60).toReversed().map(remembered);
  const moves = days.slice(1).map((now, i) => ({
    skew: days[i]!.skew,
    volatilityChange: now.volatility - days[i]!.volatility,
    logReturn: Math.log(now.spot / days[i]!.spot),
  }));
  const found = skewStickiness(moves);
  expect(found.weight).toBeGreaterThan(0.8);
  expect(Math.abs(found.raw! - 1.5)).toBeLessThan(0.3);
});

test('index and shadow gamma go by the estimated ratio, and say so', () => {
  const chain = market.chainAt(Date.parse('2025-11-20T17:00:00Z'));
  const moves = Array.from({ length: 50 }, (_, i) => {
    const logReturn = 0.01 * Math.sin(i * i);
    return { skew: -0.3, logReturn, volatilityChange: 2 * -0.3 * logReturn };
  });
  const [prior, twice] = [marketFigures({ ...facts, chain }), marketFigures({ ...facts, chain, moves })];
  for (const name of ['1', '2'] as const) {
    const [before, after] = [prior.generations[name]!, twice.generations[name]!];
    expect(before.shadow_gamma.ssr).toMatchObject({ status: 'too_few_observations', ssr: 1.5 });
    expect(after.shadow_gamma.ssr).toMatchObject({ status: 'ok', ssr: expect.closeTo(2, 6), observations: 50 });
    expect(after.dsi.ssr).toEqual(after.shadow_gamma.ssr);
    // (2 − 1)/(1.5 − 1)
    expect(after.shadow_gamma.hidden_gamma / before.shadow_gamma.hidden_gamma).toBeCloseTo(2, 6);
  }
  // the caller's own ratio comes before the estimate
  const set = (options: ModelOptions) => marketFigures({ ...facts, chain, moves, options }).generations['1']!.dsi.ssr;
  expect(set({ ssr: 1.2 })).toMatchObject({ status: 'given', ssr: 1.2 });
  expect(set({ vol_regime: 'sticky_moneyness' })).toMatchObject({ status: 'given', ssr: 0 });
});
