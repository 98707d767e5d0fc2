import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { study } from '#queues/analytics.ts';
import { analyticsUnits, envelope, enveloped, modelVersion } from '#src/analytics/answers/envelope.ts';
import { marketSymbol, SymbolText } from '#src/analytics/answers/symbol-params.ts';
import { scoreDays } from '#src/analytics/domain/benchmark/generation-scores.ts';
import { GENERATION_SCORES } from '#src/analytics/domain/benchmark/generation-scores-schema.ts';
import { acceptedResponse, answerWithJob, WaitHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';

const DAY_MS = 86_400_000;
/** Seed of the published benchmark. */
const DEFAULT_SEED = 7;

/** Routes that report how far each generation of dealer positions can be trusted. */
export const scorecardRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  app.get(
    '/v1/scorecard',
    {
      schema: {
        tags: ['analytics'],
        summary: 'Score of the generations of dealer positions against the known truth of a generated market',
        description:
          'Computed by a job, about half a minute, and kept for a day: the same symbol and seed give the same figures. The market is generated for the score, whatever feed is configured.',
        operationId: 'readScorecard',
        headers: WaitHeaders,
        querystring: Type.Object({
          symbol: SymbolText,
          seed: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 1_000_000,
              description: `Seed of the market; ${DEFAULT_SEED} without it`,
            }),
          ),
        }),
        response: {
          200: enveloped(GENERATION_SCORES, 'Score of each generation, with how it was measured'),
          ...acceptedResponse,
        },
      },
    },
    async (request, reply) => {
      const symbol = marketSymbol(request.query.symbol);
      const { seed = DEFAULT_SEED } = request.query;
      const [from, to] = [scoreDays[0], scoreDays.at(-1)!];
      return await answerWithJob(edge, request, reply, study, {
        payload: () => ({ kind: 'generations' as const, symbol, from, to, seed }),
        // a day's: a failed job must not stay for ever
        idempotencyKey: `scorecard ${symbol} ${seed} ${modelVersion} ${Math.floor(Date.now() / DAY_MS)}`,
        present: ({ study: found }) => ({
          ...envelope(
            [{ symbol, asOf: `${to}T00:00:00.000Z`, synthetic: true, feeds: {} }],
            analyticsUnits,
            'ok',
            found,
          ),
          symbol,
        }),
      });
    },
  );
};
