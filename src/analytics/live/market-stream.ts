import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { Position, StreamEvent, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { noteAudience } from './market-audience.ts';
import { readMarketState } from './market-state.ts';
import { alertsName } from './publish-alerts.ts';
import { liveKeys, marketName } from './publish-live.ts';
import { readSignals } from './stored-signals.ts';

const nothing = 'none';

async function positionOf({ redis, config }: Context, name: string): Promise<Position> {
  const [epoch, n] = await redis.hmget(liveKeys(config, name).state, 'epoch', 'n');
  return { epoch: epoch ?? nothing, n: Number(n ?? 0), ended: false };
}

const liveStreams = perContext(
  (context): StreamKind => ({
    name: 'market',
    positions: async (names) => {
      // read when a stream is opened, and again and again while a client follows it
      noteAudience(
        context,
        names.includes(alertsName) ? marketSymbols : marketSymbols.filter((one) => names.includes(marketName(one))),
      );
      return new Map(await Promise.all(names.map(async (name) => [name, await positionOf(context, name)] as const)));
    },
    ends: () => false,
    snapshotFirst: true,
  }),
);

/** A stream kept in a capped Redis stream; what is no longer kept comes as `reset` with `state`. */
function liveStream(context: Context, name: string, state: () => Promise<unknown>): StreamSource {
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
      // the position first: events in between are then sent again, and never missed
      const position = await positionOf(context, name);
      return { ...position, data: await state() };
    },
  };
}

/** The stream of a symbol's configured feed. */
export function marketStream(context: Context, symbol: MarketSymbol): StreamSource {
  return liveStream(context, marketName(symbol), async () => {
    const [state, signals] = await Promise.all([readMarketState(context, symbol), readSignals(context, symbol)]);
    return state ? { status: 'ok', ...state, signals: signals?.current ?? [] } : { status: 'no_chain', symbol };
  });
}

/** Number of the latest alerts that their stream's snapshot holds. */
const RECENT = 100;

/**
 * The stream of alerts. Its snapshot is read from itself: the stored state of a symbol moves on later than its alerts
 * are published.
 */
export function alertStream(context: Context): StreamSource {
  return liveStream(context, alertsName, async () => {
    const { stream } = liveKeys(context.config, alertsName);
    const newest = await context.redis.xrevrange(stream, '+', '-', 'COUNT', RECENT);
    return { recent: newest.map(([, fields]) => (JSON.parse(fields[1] ?? '{}') as StreamEvent).data) };
  });
}
