import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { StreamDescription } from '#src/http/asyncapi.ts';
import type { Hub } from '#src/http/hub.ts';
import { assertOrigin, prepareWebSocket, streamWebSocket } from '#src/http/websocket.ts';
import type { Context } from '#src/system/context.ts';
import { CHAIN_ANALYTICS } from './domain/analytics-schema.ts';
import { marketStream } from './market-stream.ts';
import { SymbolParams } from './schemas.ts';
import { marketSymbol } from './symbols.ts';

const { exposures, flips, levels, regime, spot, symbol, as_of } = CHAIN_ANALYTICS.properties;
const base = { symbol, as_of, spot };
const { net_gex, gex_abs, vex, cex, units } = exposures.properties;

/** What the stream of a symbol tells, for `/v1/asyncapi.json`. */
export const marketStreamDescription: StreamDescription = {
  name: 'market',
  title: 'A symbol as its configured feed moves',
  description:
    'The latest thousand ticks are replayed after a reconnect; what is older comes as `reset` with the state of the symbol.',
  sse: null,
  websocket: '/ws/v1/stream/{symbol}',
  parameters: { symbol: 'Underlying' },
  events: {
    gex: {
      summary: 'Gamma exposure of a new chain',
      data: Type.Object({ ...base, net_gex, gex_abs, vex, cex, units }),
    },
    levels: { summary: 'Flips and walls of a new chain', data: Type.Object({ ...base, flips, ...levels.properties }) },
    regime: { summary: 'Regime of a new chain', data: Type.Object({ ...base, ...regime.properties }) },
  },
};

/** The live stream of a symbol. */
export const streamRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.route({
    method: 'GET',
    url: '/ws/v1/stream/:symbol',
    config: { stream: true },
    schema: {
      hide: true,
      params: SymbolParams,
      querystring: Type.Object({ last_event_id: Type.Optional(Type.String({ maxLength: 120 })) }),
    },
    preHandler: async (request) => {
      assertOrigin(request, context.config.ALLOWED_ORIGINS);
      await prepareWebSocket(hub, request, marketStream(context, marketSymbol(request.params.symbol)));
    },
    handler: async () => {},
    wsHandler: streamWebSocket,
  });
};
