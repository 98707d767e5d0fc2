import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import type { RedisClient } from '#src/system/redis/redis.ts';

/**
 * Calls of this minute and of the one before, by Redis' own clock. Those of the minute before count by the share of it
 * that is less than a minute ago, so that no minute, wherever it begins, has many more than the limit. Answers how many
 * milliseconds to wait; 0 has counted the call.
 */
const turnScript = `
local time = redis.call('time')
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
local minute = math.floor(ms / 60000)
local into = ms % 60000
local limit = tonumber(ARGV[1])
local now = tonumber(redis.call('hget', KEYS[1], minute) or 0)
local before = tonumber(redis.call('hget', KEYS[1], minute - 1) or 0)
if now + before * (60000 - into) / 60000 + 1 > limit then
  if now >= limit or before == 0 then return 60000 - into end
  return math.max(1, math.ceil((now + before + 1 - limit) * 60000 / before - into))
end
redis.call('hincrby', KEYS[1], minute, 1)
redis.call('hdel', KEYS[1], minute - 2)
redis.call('pexpire', KEYS[1], 120000)
return 0`;

type Scripted = RedisClient & { readonly takeTurn?: (key: string, limit: number) => Promise<number> };

/**
 * Counts one call of a provider that takes so many in a minute (`perMinute` in the catalogue), over all processes. Answers
 * 0 where it may go, else how many milliseconds until it may be asked again. While Redis is away nobody waits: the
 * provider itself says no then.
 */
export async function takeTurn({ redis, config, log }: Context, { id, perMinute }: Provider): Promise<number> {
  if (perMinute === undefined) return 0;
  const scripted: Scripted = redis;
  if (!scripted.takeTurn) redis.defineCommand('takeTurn', { numberOfKeys: 1, lua: turnScript });
  try {
    return (await scripted.takeTurn?.(`${config.REDIS_PREFIX}:turns:${id}`, perMinute)) ?? 0;
  } catch (error) {
    log.debug({ err: error, provider: id }, 'calls are not counted while Redis is away');
    return 0;
  }
}
