import type { Position, StreamEvent, StreamKind, StreamSource } from '#src/http/stream-source.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import { liveKeys, marketName } from './live-tell.ts';
import type { MarketEventType } from './market-events.ts';
import { readMarketState } from './market-state.ts';

const nothing = 'none';

async function positionOf({ redis, config }: Context, name: string): Promise<Position> {
  const [epoch, n] = await redis.hmget(liveKeys(config, name).state, 'epoch', 'n');
  return { epoch: epoch ?? nothing, n: Number(n ?? 0), ended: false };
}

const liveStreams = perContext(
  (context): StreamKind => ({
    name: 'market',
    positions: async (names) =>
      new Map(await Promise.all(names.map(async (name) => [name, await positionOf(context, name)] as const))),
    ends: () => false,
  }),
);

/** A stream kept in a capped Redis stream; what is no longer kept comes as `reset` with `state`. */
export function liveStream(context: Context, name: string, state: () => Promise<unknown>): StreamSource {
  const { redis, config } = context;
  const { stream, channel } = liveKeys(config, name);
  return {
    channel,
    kind: liveStreams(context),
    key: name,
    replay: async (after, limit) => {
      const entries = await redis.xrange(stream, `${after + 1}-0`, '+', 'COUNT', limit);
      return entries.map(([, fields]) => JSON.parse(fields[1] ?? '{}') as StreamEvent);
    },
    snapshot: async () => {
      // the position first: what is told in between is then told again, and never missed
      const position = await positionOf(context, name);
      return { ...position, data: await state() };
    },
  };
}

/** The stream of a symbol's configured feed: every event, or those of one type. */
export function marketStream(context: Context, symbol: MarketSymbol, type?: MarketEventType): StreamSource {
  return liveStream(
    context,
    marketName(symbol, type),
    async () => (await readMarketState(context, symbol)) ?? { symbol, status: 'no_chain' },
  );
}
