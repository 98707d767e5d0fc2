import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { marketSymbol, SymbolText } from '#src/analytics/answers/symbol-params.ts';
import { SIGNAL, type Signal, type SignalKind, signalKinds } from '#src/analytics/domain/signals/signals-schema.ts';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import { defineFilter } from '#src/http/streams/stream-filter.ts';
import { assertOrigin, prepareWebSocket, streamWebSocket } from '#src/http/streams/websocket.ts';
import type { Context } from '#src/system/context.ts';
import { alertStream } from './market-stream.ts';

const summaries: Readonly<Record<SignalKind, string>> = {
  regime_change: 'Dealers go over to damping or to amplifying moves',
  flip_proximity: 'Spot is near the gamma flip',
  flip_breach: 'Spot has crossed the gamma flip',
  wall_test: 'Spot is at a wall',
  wall_break: 'Spot has crossed a wall',
  pin: 'Spot is near the pin strike late in the session',
  charm_drift: 'Time alone makes dealers trade much until the close',
  vanna_squeeze: 'Vanna and charm push the same way',
  gtbr_breach: 'Spot is beyond the break-even range while dealers are short gamma',
  shadow_instability: 'Gamma differs much between up and down moves',
  dark_confirmation: 'Off-exchange volume confirms a gamma level',
  anomaly: 'A figure is out of line with its own past',
};

const filtering = defineFilter({
  fields: {
    symbols: {
      item: SymbolText,
      about: 'Underlyings wanted; all without it',
      read: marketSymbol,
      of: (_kind, data) => (data as Signal).symbol,
    },
    kinds: {
      item: Type.Union(signalKinds.map((kind) => Type.Literal(kind))),
      about: 'Kinds of signals wanted; all without it',
      of: (kind) => kind,
    },
  },
  narrow: (snapshot, wants) => ({
    recent: (snapshot as { recent: Signal[] }).recent.filter((signal) => wants(signal.kind, signal)),
  }),
});

/** Description of the stream of alerts, for `/v1/asyncapi.json`. */
export const alertStreamDescription: StreamDescription = {
  name: 'alerts',
  title: 'Signals of every symbol of the configured feed, each once',
  description:
    'The recent ones first, then each as it is made. The latest thousand are replayed after a reconnect; what is older comes as `reset` with the recent ones.',
  sse: '/v1/alerts',
  websocket: '/ws/v1/alerts',
  parameters: {},
  filtering,
  snapshot: Type.Object({
    recent: Type.Array(SIGNAL, {
      description: 'The alerts among the latest hundred that fit the filter, newest first',
    }),
  }),
  events: Object.fromEntries(signalKinds.map((kind) => [kind, { summary: summaries[kind], data: SIGNAL }])),
};

const AlertQuery = Type.Object({
  ...filtering.query,
  last_event_id: Type.Optional(
    Type.String({ maxLength: 120, description: 'Id of the last event seen; the stream goes on behind it' }),
  ),
});

/** The live stream of alerts, by server-sent events and by WebSocket. */
export const alertRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, { context, hub }) => {
  app.get(
    '/v1/alerts',
    {
      config: { stream: true },
      schema: {
        tags: ['analytics'],
        summary: 'Follow the alerts (SSE)',
        operationId: 'followAlerts',
        querystring: AlertQuery,
        response: {
          200: {
            description:
              'The recent signals as `snapshot`, then each as it is made; `reset` carries the recent ones where they cannot be replayed.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => await streamSse(hub, request, reply, alertStream(context), filtering),
  );

  app.route({
    method: 'GET',
    url: '/ws/v1/alerts',
    config: { stream: true },
    schema: { hide: true, querystring: AlertQuery },
    preHandler: async (request) => {
      assertOrigin(request, context.config);
      await prepareWebSocket(hub, request, alertStream(context), filtering);
    },
    handler: async () => {},
    wsHandler: streamWebSocket,
  });
};
