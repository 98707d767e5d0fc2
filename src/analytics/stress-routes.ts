import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { stress } from '#queues/analytics.ts';
import { acceptedResponse, answerWithJob, WorkHeaders } from '#src/http/answer-with-job.ts';
import { principalOf } from '#src/http/guard.ts';
import type { Hub } from '#src/http/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { PortfolioStressResult } from './domain/portfolio-stress-schema.ts';
import type { StressScenario } from './domain/stress-schema.ts';
import { envelope } from './envelope.ts';
import { StressAnswer, StressRequest } from './schemas.ts';
import { marketSymbol } from './symbols.ts';
import { mustSee } from './take-chain.ts';
import { analyticsUnits } from './units.ts';

const defaultScenarios = [-5, -2, 2, 5].map((spot_shock_pct) => ({ spot_shock_pct }));

/** Stress tests of portfolios. */
export const stressRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.post(
    '/v1/portfolio/stress',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags: ['analytics'],
        summary: 'Stress a portfolio under spot and volatility shocks and time decay',
        operationId: 'stressPortfolio',
        headers: WorkHeaders,
        body: StressRequest,
        response: { 200: StressAnswer, ...acceptedResponse },
      },
    },
    async (request, reply) => {
      const { symbols, weights, scenarios = defaultScenarios } = request.body;
      const { owner } = principalOf(request);
      const names = symbols.map(marketSymbol);
      if (new Set(names).size < names.length) throw wrong('symbols', 'each symbol once', symbols);
      const shares = checkWeights(weights, names);
      checkScenarios(scenarios);
      return await answerWithJob({ context, hub }, request, reply, stress, {
        payload: async () => {
          // fixed now: the job computes from the chains that its caller saw, however long it waits
          const chains = await Promise.all(names.map((symbol) => mustSee(context, symbol, owner, 'own')));
          const books = chains.map(({ id }, index) => ({ chainId: id, weight: shares[index] ?? 0 }));
          return { books, scenarios: [...scenarios] };
        },
        present: stressAnswer,
      });
    },
  );
};

function checkWeights(weights: readonly number[] | undefined, symbols: readonly string[]): number[] {
  if (weights === undefined) return symbols.map(() => 1 / symbols.length);
  if (weights.length !== symbols.length) throw wrong('weights', `one weight per symbol (${symbols.length})`, weights);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const largest = Math.max(...weights.map(Math.abs));
  // a sum that is rounding noise would blow every weight up
  if (!(Math.abs(total) > 1e-9 * largest)) throw wrong('weights', 'weights whose sum is not zero', weights);
  return weights.map((weight) => weight / total);
}

/** Time that passes alone is no stress: the schema cannot say which of the fields makes a shock. */
function checkScenarios(scenarios: readonly StressScenario[]): void {
  const at = scenarios.findIndex(
    ({ spot_shock_pct, vol_shock_pct }) => spot_shock_pct === undefined && vol_shock_pct === undefined,
  );
  if (at >= 0) throw wrong(`scenarios[${at}]`, 'spot_shock_pct or vol_shock_pct or both', scenarios[at]);
}

function wrong(field: string, expected: string, value: unknown): AppError {
  const shown = JSON.stringify(value).slice(0, 200);
  const message = `body.${field}: expected ${expected}, got ${shown}.`;
  return new AppError('invalid_request', message, {
    errors: [{ field: `body.${field}`, message, value }],
  });
}

function stressAnswer(result: PortfolioStressResult) {
  const used = result.before.map(({ symbol, as_of, synthetic }) => ({ symbol, asOf: as_of, synthetic }));
  const missing = result.results.find(({ status }) => status !== 'ok');
  return envelope(used, analyticsUnits, missing?.status ?? 'ok', result);
}
