import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { study } from '#queues/analytics.ts';
import type { Payload, Result } from '#queues/define.ts';
import { analyticsUnits, envelope, enveloped } from '#src/analytics/answers/envelope.ts';
import { ruleNames } from '#src/analytics/domain/history/backtest-schema.ts';
import { STATISTICS } from '#src/analytics/domain/history/history-study-schema.ts';
import { feedFreshness } from '#src/analytics/live/feed-freshness.ts';
import { acceptedResponse, answerWithJob, WaitHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';
import { BACKTEST_VIEW, backtestView } from './backtest-view.ts';
import { HistoryParams } from './history-query.ts';
import { DEFAULT_DAYS, studyKey, studySpan } from './study-request.ts';

const StudyParams = Type.Object({
  symbol: HistoryParams.properties.symbol,
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description: `Begin, inclusive: a day or an instant in ISO 8601; ${DEFAULT_DAYS} days before \`to\` without it`,
      examples: ['2026-01-02'],
    }),
  ),
  to: HistoryParams.properties.to,
});

const BacktestParams = Type.Object({
  ...StudyParams.properties,
  rule: Type.Optional(
    Type.Enum(ruleNames, { type: 'string', description: 'Only this rule; each without it, and corrected for all' }),
  ),
});

const common = { tags: ['analytics'], headers: WaitHeaders };

/** Routes that study the daily history of a symbol, by a job. */
export const studyRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  app.get(
    '/v1/history/backtest',
    {
      schema: {
        ...common,
        summary: 'Backtest of documented rules on the daily history of a symbol',
        operationId: 'readBacktest',
        querystring: BacktestParams,
        response: { 200: enveloped(BACKTEST_VIEW, 'Backtest of documented rules'), ...acceptedResponse },
      },
    },
    async (request, reply) => {
      const { rule, ...query } = request.query;
      const payload = { kind: 'backtest' as const, ...studySpan(query), ...(rule !== undefined && { rule }) };
      return await answerWithJob(edge, request, reply, study, workOf(edge.context, payload));
    },
  );
  app.get(
    '/v1/history/statistics',
    {
      schema: {
        ...common,
        summary: 'What dealer positioning said of the next session, with intervals and corrected p-values',
        operationId: 'readStatistics',
        querystring: StudyParams,
        response: { 200: enveloped(STATISTICS, 'Statistics of the daily history'), ...acceptedResponse },
      },
    },
    async (request, reply) =>
      await answerWithJob(
        edge,
        request,
        reply,
        study,
        workOf(edge.context, { kind: 'statistics', ...studySpan(request.query) }),
      ),
  );
};

function workOf(context: Context, payload: Payload<typeof study>) {
  const { symbol } = payload;
  return {
    payload: () => payload,
    idempotencyKey: studyKey(payload),
    present: async ({ as_of, synthetic, study: found }: Result<typeof study>) => {
      const used = as_of === null ? [] : [{ symbol, asOf: as_of, synthetic, feeds: { history: as_of } }];
      const fresh = await feedFreshness(context, symbol);
      const shown = 'rules' in found ? backtestView(found) : found;
      return { ...envelope(used, analyticsUnits, found.status, shown), symbol, ...fresh };
    },
  };
}
