import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { StreamDescription } from '#src/http/asyncapi.ts';
import type { Hub } from '#src/http/hub.ts';
import { streamSse } from '#src/http/sse.ts';
import type { StreamSource } from '#src/http/stream-source.ts';
import { assertOrigin, prepareWebSocket, streamWebSocket } from '#src/http/websocket.ts';
import type { Context } from '#src/system/context.ts';
import { SIGNAL, type SignalKind, signalKinds } from './domain/signals-schema.ts';
import { marketSymbols } from './domain/symbols.ts';
import { readSignals } from './live-signals.ts';
import { liveStream } from './market-stream.ts';
import { marketSymbol, SymbolText } from './symbols.ts';
import { type AlertFilter, alertsName } from './tell-alerts.ts';

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

/** What the stream of alerts tells, for `/v1/asyncapi.json`. */
export const alertStreamDescription: StreamDescription = {
  name: 'alerts',
  title: 'Signals of every symbol of the configured feed, each once',
  description:
    'The query parameters symbol and kind narrow it. The latest thousand are replayed after a reconnect; what is older comes as `reset` with the recent signals.',
  sse: '/v1/alerts',
  websocket: '/ws/v1/alerts',
  parameters: {},
  events: Object.fromEntries(signalKinds.map((kind) => [kind, { summary: summaries[kind], data: SIGNAL }])),
};

const AlertQuery = Type.Object({
  symbol: Type.Optional(SymbolText),
  kind: Type.Optional(
    Type.Union(
      signalKinds.map((kind) => Type.Literal(kind)),
      { description: 'Signals of this kind alone' },
    ),
  ),
  last_event_id: Type.Optional(
    Type.String({ maxLength: 120, description: 'Id of the last event seen; the stream goes on behind it' }),
  ),
});

function alertStream(context: Context, query: AlertFilter): StreamSource {
  const { kind } = query;
  const symbol = query.symbol === undefined ? undefined : marketSymbol(query.symbol);
  return liveStream(context, alertsName({ symbol, kind }), async () => {
    const kept = await Promise.all((symbol ? [symbol] : marketSymbols).map((one) => readSignals(context, one)));
    const recent = kept.flatMap((signals) => signals?.recent ?? []);
    return { recent: recent.filter((signal) => kind === undefined || signal.kind === kind) };
  });
}

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
            description: 'Signals as they happen; `reset` carries the recent ones where they cannot be replayed.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => await streamSse(hub, request, reply, alertStream(context, request.query)),
  );

  app.route({
    method: 'GET',
    url: '/ws/v1/alerts',
    config: { stream: true },
    schema: { hide: true, querystring: AlertQuery },
    preHandler: async (request) => {
      assertOrigin(request, context.config.ALLOWED_ORIGINS);
      await prepareWebSocket(hub, request, alertStream(context, request.query));
    },
    handler: async () => {},
    wsHandler: streamWebSocket,
  });
};
