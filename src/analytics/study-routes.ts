import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { study } from '#queues/analytics.ts';
import type { Payload, Result } from '#queues/define.ts';
import { acceptedResponse, answerWithJob, WaitHeaders } from '#src/http/answer-with-job.ts';
import type { Hub } from '#src/http/hub.ts';
import type { Context } from '#src/system/context.ts';
import { BACKTEST, ruleNames } from './domain/backtest-schema.ts';
import { isSessionOpen, latestSession } from './domain/exchange-calendar.ts';
import { STATISTICS } from './domain/history-study-schema.ts';
import { envelope, enveloped } from './envelope.ts';
import { feedFreshness } from './feed-freshness.ts';
import { HistoryParams, historyQuery } from './history-query.ts';
import { analyticsUnits } from './units.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_DAYS = 366;

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

/** What the daily history of a symbol says, computed by a job. */
export const studyRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  app.get(
    '/v1/history/backtest',
    {
      schema: {
        ...common,
        summary: 'Backtest of documented rules on the daily history of a symbol',
        operationId: 'readBacktest',
        querystring: BacktestParams,
        response: { 200: enveloped(BACKTEST, 'Backtest of documented rules'), ...acceptedResponse },
      },
    },
    async (request, reply) => {
      const { rule, ...query } = request.query;
      const payload = { kind: 'backtest' as const, ...span(query), ...(rule !== undefined && { rule }) };
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
        workOf(edge.context, { kind: 'statistics', ...span(request.query) }),
      ),
  );
};

/** The symbol and days asked for, checked. @throws AppError `invalid_request`, `unknown_symbol`. */
function span({ symbol, from, to }: Static<typeof StudyParams>): Pick<Payload<typeof study>, 'symbol' | 'from' | 'to'> {
  // of a minute, so that asking again after a 202 asks the same
  const end = to ?? new Date(minuteNow() * MINUTE_MS).toISOString();
  const begin = from ?? daysBefore(end, DEFAULT_DAYS);
  const asked = historyQuery({ symbol, to: end, limit: 1, ...(begin !== undefined && { from: begin }) });
  return { symbol: asked.symbol, from: asked.from.toISOString(), to: lastClosed(asked.to).toISOString() };
}

/** Undefined for what is no instant, which the check names. */
function daysBefore(text: string, days: number): string | undefined {
  const instant = new Date(new Date(text).getTime() - days * DAY_MS);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** A session under way has no last price yet: half a day's return would count as one. */
function lastClosed(to: Date): Date {
  return isSessionOpen(to.getTime()) ? new Date(latestSession(to.getTime()).open) : to;
}

function minuteNow(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}

function workOf(context: Context, payload: Payload<typeof study>) {
  const { kind, symbol, from, to, rule = '' } = payload;
  return {
    payload: () => payload,
    // one job for who asks again; a new one each minute, as history grows and a failed job must not stand for ever
    idempotencyKey: `study ${kind} ${symbol} ${from} ${to} ${rule} ${minuteNow()}`,
    present: async ({ as_of, synthetic, study: found }: Result<typeof study>) => {
      const used = as_of === null ? [] : [{ symbol, asOf: as_of, synthetic, feeds: { history: as_of } }];
      const fresh = await feedFreshness(context, symbol);
      return { ...envelope(used, analyticsUnits, found.status, found), symbol, ...fresh };
    },
  };
}
