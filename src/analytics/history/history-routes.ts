import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { analyticsUnits, envelope, enveloped } from '#src/analytics/answers/envelope.ts';
import { marketSymbol } from '#src/analytics/answers/symbol-params.ts';
import { feedFreshness, marketNow } from '#src/analytics/live/feed-freshness.ts';
import { wishFor } from '#src/http/request/negotiate.ts';
import type { Context } from '#src/system/context.ts';
import { type Cell, csvText } from './csv.ts';
import { historyKinds } from './history-kinds.ts';
import { HistoryParams, historyQuery, writeCursor } from './history-query.ts';
import { readHistory } from './history-store.ts';

/** Routes of the feed's past figures: one list a kind, oldest first, as JSON or CSV. */
export const historyRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  for (const [name, { title, row, missing, read }] of Object.entries(historyKinds)) {
    const answer = enveloped(
      Type.Object(
        {
          rows: Type.Array(row, { description: 'Oldest first' }),
          next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' }),
        },
        { additionalProperties: false },
      ),
      title,
    );
    app.get(
      `/v1/history/${name}`,
      {
        schema: {
          tags: ['analytics'],
          summary: title,
          description:
            'Rows of the configured feed, by generation 1 of dealer positions. CSV answers carry the next cursor in the header x-next-cursor.',
          operationId: `readHistoryOf${name[0]?.toUpperCase()}${name.slice(1)}`,
          querystring: HistoryParams,
          response: {
            200: {
              description: title,
              content: { 'application/json': { schema: answer }, 'text/csv': { schema: Type.String() } },
            },
          },
        },
      },
      async (request, reply) => {
        const query = historyQuery(request.query, await marketNow(context, marketSymbol(request.query.symbol)));
        const found = await readHistory(context, { ...query, limit: query.limit + 1 });
        const page = found.slice(0, query.limit);
        const last = page.at(-1);
        const next = found.length > page.length && last ? writeCursor(last.asOf) : null;
        const rows = page.map(read);
        if (wantsCsv(request)) return sendCsv(reply, Object.keys(row.properties), rows, next);
        const used = last
          ? [
              {
                symbol: last.symbol,
                asOf: last.asOf.toISOString(),
                synthetic: last.figures.synthetic,
                feeds: { history: last.asOf.toISOString() },
              },
            ]
          : [];
        const isEmpty = page.length === 0 && query.after === undefined;
        const lacking = page.map(missing).find((one) => one !== null);
        const status = isEmpty ? 'insufficient_history' : (lacking ?? 'ok');
        const fresh = await feedFreshness(context, query.symbol);
        return {
          ...envelope(used, analyticsUnits, status, { rows, next_cursor: next }),
          symbol: query.symbol,
          ...fresh,
        };
      },
    );
  }
};

function wantsCsv({ query, headers }: FastifyRequest): boolean {
  const { format } = query as { format?: 'json' | 'csv' };
  if (format !== undefined) return format === 'csv';
  const csv = wishFor('text/csv', headers.accept);
  return csv > 0 && csv >= wishFor('application/json', headers.accept);
}

function sendCsv(
  reply: FastifyReply,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
  next: string | null,
): FastifyReply {
  if (next !== null) reply.header('x-next-cursor', next);
  return reply.type('text/csv; charset=utf-8').send(csvText(columns, rows));
}
