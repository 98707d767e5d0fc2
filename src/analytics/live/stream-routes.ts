import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { SymbolParams } from '#src/analytics/answers/schemas.ts';
import { marketSymbol } from '#src/analytics/answers/symbol-params.ts';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { SIGNAL } from '#src/analytics/domain/signals/signals-schema.ts';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import { defineFilter } from '#src/http/streams/stream-filter.ts';
import { tokenQuery } from '#src/http/streams/token-query.ts';
import { assertOrigin, prepareWebSocket, streamWebSocket } from '#src/http/streams/websocket.ts';
import type { Context } from '#src/system/context.ts';
import { marketEventTypes } from './market-events.ts';
import { marketStream } from './market-stream.ts';

const { exposures, flips, levels, regime, spot, symbol, as_of } = CHAIN_ANALYTICS.properties;
const base = { symbol, as_of, spot };
const { net_gex, gex_abs, vex, cex, units } = exposures.properties;

const state = { as_of, spot, net_gex, gex_abs, vex, cex, units, flips, levels, regime };

const filtering = defineFilter({
  fields: {
    types: {
      item: Type.Union(marketEventTypes.map((type) => Type.Literal(type))),
      about: 'Types of events wanted; all without it',
      of: (type) => type,
    },
  },
});

/** Description of the stream of a symbol, for `/v1/asyncapi.json`. */
export const marketStreamDescription: StreamDescription = {
  name: 'market',
  title: 'A symbol as its configured feed moves',
  description:
    'The state of the symbol first, then what changes. The latest thousand events are replayed after a reconnect; what is older comes as `reset` with the state.',
  sse: '/v1/stream/{symbol}',
  websocket: '/ws/v1/stream/{symbol}',
  parameters: { symbol: 'Underlying' },
  filtering,
  snapshot: Type.Object({
    status: Type.Enum(['ok', 'no_chain'], {
      description: 'no_chain: nothing was published yet, and there is nothing else',
    }),
    symbol,
    ...Type.Partial(Type.Object({ ...state, signals: Type.Array(SIGNAL, { description: 'In force' }) })).properties,
  }),
  events: {
    gex: {
      summary: 'Gamma exposure of a new chain',
      data: Type.Object({ ...base, net_gex, gex_abs, vex, cex, units }),
    },
    levels: { summary: 'Flips and walls of a new chain', data: Type.Object({ ...base, flips, ...levels.properties }) },
    regime: { summary: 'Regime of a new chain', data: Type.Object({ ...base, ...regime.properties }) },
    signals: {
      summary: 'Signals of a tick with every figure',
      data: Type.Object({
        ...base,
        signals: Type.Array(SIGNAL, { description: 'Made by this tick; mostly none' }),
        current: Type.Array(SIGNAL, { description: 'In force, those among them' }),
      }),
    },
  },
};

const streamToken = { kinds: ['symbol'], parameter: 'symbol' } as const;
const StreamQuery = Type.Object({
  ...tokenQuery,
  ...filtering.query,
  last_event_id: Type.Optional(
    Type.String({ maxLength: 120, description: 'Id of the last event seen; the stream goes on behind it' }),
  ),
});

/** The live stream of a symbol, by server-sent events and by WebSocket. */
export const streamRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.get(
    '/v1/stream/:symbol',
    {
      config: { stream: true, streamToken },
      schema: {
        tags: ['analytics'],
        summary: 'Follow a symbol (SSE)',
        operationId: 'followSymbol',
        params: SymbolParams,
        querystring: StreamQuery,
        response: {
          200: {
            description:
              'The state of the symbol as `snapshot`, then events as they happen; `reset` carries the state where they cannot be replayed.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) =>
      await streamSse(hub, request, reply, marketStream(context, marketSymbol(request.params.symbol)), filtering),
  );

  app.route({
    method: 'GET',
    url: '/ws/v1/stream/:symbol',
    config: { stream: true, streamToken },
    schema: { hide: true, params: SymbolParams, querystring: StreamQuery },
    preHandler: async (request) => {
      assertOrigin(request, context.config);
      const followed = marketSymbol(request.params.symbol);
      await prepareWebSocket(hub, request, marketStream(context, followed), filtering);
    },
    handler: async () => {},
    wsHandler: streamWebSocket,
  });
};
