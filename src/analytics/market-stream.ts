import type { Position, StreamEvent, StreamKind, StreamSource } from '#src/http/stream-source.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { visibleChain } from './chain-store.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import { tickKeys } from './market-ticks.ts';

const nothing = 'none';

async function positionOf({ redis, config }: Context, symbol: string): Promise<Position> {
  const [epoch, n] = await redis.hmget(tickKeys(config, symbol).state, 'epoch', 'n');
  return { epoch: epoch ?? nothing, n: Number(n ?? 0), ended: false };
}

const marketStreams = perContext(
  (context): StreamKind => ({
    name: 'market',
    positions: async (symbols) =>
      new Map(await Promise.all(symbols.map(async (symbol) => [symbol, await positionOf(context, symbol)] as const))),
    ends: () => false,
  }),
);

/** The stream of a symbol's configured feed, from capped Redis streams; what is no longer kept comes as `reset`. */
export function marketStream(context: Context, symbol: MarketSymbol): StreamSource {
  const { redis, config } = context;
  const { stream, channel } = tickKeys(config, symbol);
  return {
    channel,
    kind: marketStreams(context),
    key: symbol,
    replay: async (after, limit) => {
      const entries = await redis.xrange(stream, `${after + 1}-0`, '+', 'COUNT', limit);
      return entries.map(([, fields]) => JSON.parse(fields[1] ?? '{}') as StreamEvent);
    },
    snapshot: async () => {
      const [position, chain] = await Promise.all([
        positionOf(context, symbol),
        visibleChain(context, symbol, '', 'feed'),
      ]);
      const analytics = chain?.analytics;
      return {
        ...position,
        data: analytics
          ? {
              symbol,
              as_of: analytics.as_of,
              spot: analytics.spot,
              net_gex: analytics.exposures.net_gex,
              flips: analytics.flips,
              levels: analytics.levels,
              regime: analytics.regime,
            }
          : { symbol, status: 'no_chain' },
      };
    },
  };
}
