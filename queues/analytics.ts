import Type from 'typebox';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/analytics-schema.ts';
import { PortfolioStressResult } from '#src/analytics/domain/portfolio-stress-schema.ts';
import { StressScenario } from '#src/analytics/domain/stress-schema.ts';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });

/** Computes the analytics of one stored chain and keeps them beside it. */
export const fit = defineQueue({
  name: 'analytics.fit',
  title: 'Compute the analytics of a stored option chain',
  payload: Type.Object({ chainId: Id }, strict),
  result: CHAIN_ANALYTICS,
  progress: Type.Object({ stage: Type.Union([Type.Literal('loading'), Type.Literal('computing')]) }, strict),
  timeoutMs: 30_000,
});

/** Reprices the dealers' books of one to six symbols under each scenario; a progress message per scenario that is done. */
export const stress = defineQueue({
  name: 'analytics.stress',
  title: 'Stress a portfolio of symbols',
  payload: Type.Object(
    {
      books: Type.Array(Type.Object({ chainId: Id, weight: Type.Number() }, strict), { minItems: 1, maxItems: 6 }),
      scenarios: Type.Array(StressScenario, { minItems: 1, maxItems: 200 }),
    },
    strict,
  ),
  result: PortfolioStressResult,
  progress: Type.Object(
    { scenario: Type.Integer(), of: Type.Integer(), net_gex: Type.Number(), hedged_pnl: Type.Number() },
    strict,
  ),
  timeoutMs: 60_000,
});
