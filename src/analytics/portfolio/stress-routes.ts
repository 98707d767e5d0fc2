import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { stress } from '#queues/analytics.ts';
import type { Payload } from '#queues/define.ts';
import { analyticsUnits, envelope } from '#src/analytics/answers/envelope.ts';
import { StressAnswer, StressRequest } from '#src/analytics/answers/schemas.ts';
import { distinctSymbols } from '#src/analytics/answers/symbol-params.ts';
import type { PortfolioStressResult } from '#src/analytics/domain/risk/portfolio-stress-schema.ts';
import type { StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { chainsFreshness, withAge } from '#src/analytics/live/feed-freshness.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { acceptedResponse, answerWithJob, WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { stressInput, stressPayload } from './stress-request.ts';

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
      const { symbols, weights, scenarios } = request.body;
      const { owner } = principalOf(request);
      const input = stressInput(distinctSymbols(symbols), weights, scenarios);
      checkScenarios(input.scenarios);
      return await answerWithJob({ context, hub }, request, reply, stress, {
        payload: async () => await stressPayload(context, owner, input),
        present: async (result, { payload }) => {
          const { books } = payload as Payload<typeof stress>;
          const fresh = await chainsFreshness(
            context,
            books.map(({ chainId }) => chainId),
          );
          return withAge(stressAnswer(result), fresh);
        },
      });
    },
  );
};

/**
 * Checks that each scenario sets a shock. The rule by which the smile follows is no scenario by itself: the schema
 * cannot say which of the fields makes one.
 */
function checkScenarios(scenarios: readonly StressScenario[]): void {
  const at = scenarios.findIndex(({ spot_shock_pct, vol_shock_pct, vol_points, days }) =>
    [spot_shock_pct, vol_shock_pct, vol_points, days].every((shock) => shock === undefined),
  );
  if (at >= 0) throw wrong(`scenarios[${at}]`, 'spot_shock_pct, vol_shock_pct, vol_points or days', scenarios[at]);
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
  return envelope(used, analyticsUnits, missing ? 'undefined_without_volatility' : 'ok', result);
}
