import type { Redis } from 'ioredis';
import type { Config } from '#src/system/config.ts';
import type { Context } from '#src/system/context.ts';
import type { ChainAnalytics } from './domain/analytics-schema.ts';

/** Ticks of a symbol that can be read again. */
const KEPT = 1_000;

/** Keys of a symbol's stream; one hash tag, so that they share a slot of a Redis Cluster. The channel has the same name. */
export function tickKeys({ REDIS_PREFIX }: Config, symbol: string) {
  const base = `{${REDIS_PREFIX}-market-${symbol}}`;
  return { stream: `${base}:ticks`, state: `${base}:state`, channel: `${base}:live` };
}

/*
 * Numbers, keeps and publishes the ticks of one chain in one step, so that numbers are dense and every published tick
 * can be read again. The epoch lives beside the number: when Redis is emptied both begin anew. A chain that was told
 * last is not told again, since a job may run twice.
 */
const script = `
local state, stream, channel = KEYS[1], KEYS[2], ARGV[1]
if redis.call('hget', state, 'chain') == ARGV[2] then return 0 end
local epoch = redis.call('hget', state, 'epoch')
if not epoch then
  epoch = ARGV[3]
  redis.call('hset', state, 'epoch', epoch)
end
for i = 6, #ARGV, 2 do
  local n = redis.call('hincrby', state, 'n', 1)
  local tick = '{"epoch":"' .. epoch .. '","n":' .. n .. ',"type":"' .. ARGV[i] .. '","at":"' .. ARGV[4] .. '","data":' .. ARGV[i + 1] .. '}'
  redis.call('xadd', stream, 'MAXLEN', '~', ARGV[5], n .. '-0', 'tick', tick)
  redis.call('publish', channel, tick)
end
redis.call('hset', state, 'chain', ARGV[2])
return 1`;

type Teller = Redis & { readonly tellTicks?: (...args: (string | number)[]) => Promise<number> };

/** Tells a symbol's stream what its newest chain says: gamma exposure, levels, regime. Does nothing for one told already. */
export async function publishTick(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  chainId: string,
  analytics: ChainAnalytics,
): Promise<void> {
  const teller: Teller = redis;
  if (!teller.tellTicks) redis.defineCommand('tellTicks', { numberOfKeys: 2, lua: script });
  const keys = tickKeys(config, analytics.symbol);
  const epoch = Math.random().toString(36).slice(2, 12).padEnd(10, '0');
  const ticks = Object.entries(ticksOf(analytics)).flatMap(([type, data]) => [type, JSON.stringify(data)]);
  await teller.tellTicks?.(
    keys.state,
    keys.stream,
    keys.channel,
    chainId,
    epoch,
    new Date().toISOString(),
    KEPT,
    ...ticks,
  );
}

function ticksOf({ symbol, as_of, spot, exposures, flips, levels, regime, gamma_profile: _profile }: ChainAnalytics) {
  const base = { symbol, as_of, spot };
  return {
    gex: {
      ...base,
      net_gex: exposures.net_gex,
      gex_abs: exposures.gex_abs,
      vex: exposures.vex,
      cex: exposures.cex,
      units: exposures.units,
    },
    levels: { ...base, flips, ...levels },
    regime: { ...base, ...regime },
  };
}
