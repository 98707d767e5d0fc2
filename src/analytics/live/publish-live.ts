import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import type { RedisClient } from '#src/system/redis/redis.ts';

/** Events of a live stream that can be read again. */
const KEPT = 1_000;

/** Keys of a live stream; one hash tag, so that they share a slot of a Redis Cluster. The channel has the same name. */
export function liveKeys({ REDIS_PREFIX }: Config, name: string) {
  const base = `{${REDIS_PREFIX}-${name}}`;
  return {
    stream: `${base}:ticks`,
    state: `${base}:state`,
    answers: `${base}:answers`,
    channel: `${base}:live`,
    watched: `${base}:watched`,
  };
}

/** The live stream of a symbol. */
export function marketName(symbol: string): string {
  return `market-${symbol}`;
}

/*
 * Numbers, keeps and publishes events in one step, so that numbers are dense and every published event can be read
 * again, and keeps the answers that go with them. The epoch lives beside the number: when Redis is emptied both begin
 * anew. The events published last are not published again, since a job may run twice; nor older ones, since two may run
 * at once. A stream of several sources remembers the last of each.
 */
const script = `
local state, stream, answers, channel = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local last_id, order = 'told' .. ARGV[8], 'order' .. ARGV[8]
local last = redis.call('hmget', state, last_id, order, 'epoch')
if last[1] == ARGV[2] then return 0 end
if last[2] and tonumber(last[2]) > tonumber(ARGV[3]) then return 0 end
local epoch = last[3]
if not epoch then
  epoch = ARGV[4]
  redis.call('hset', state, 'epoch', epoch)
end
local first = 9 + 2 * tonumber(ARGV[7])
for i = 9, first - 2, 2 do redis.call('hset', answers, ARGV[i], ARGV[i + 1]) end
for i = first, #ARGV, 2 do
  local n = redis.call('hincrby', state, 'n', 1)
  local event = '{"epoch":"' .. epoch .. '","n":' .. n .. ',"type":"' .. ARGV[i] .. '","at":"' .. ARGV[5] .. '","data":' .. ARGV[i + 1] .. '}'
  redis.call('xadd', stream, 'MAXLEN', '~', ARGV[6], n .. '-0', 'tick', event)
  redis.call('publish', channel, event)
end
redis.call('hset', state, last_id, ARGV[2], order, ARGV[3])
return 1`;

type Publisher = RedisClient & { readonly publishLive?: (...args: (string | number)[]) => Promise<number> };

export interface LiveUpdate {
  /** Id of these events: they are published once. */
  readonly id: string;
  /** Later events have larger ones; events older than the last published are dropped. Epoch milliseconds. */
  readonly order: number;
  /** Source of the events, on a stream of several: `id` and `order` are compared within one source. */
  readonly source?: string;
  /** Type and data of each event. */
  readonly events: readonly (readonly [type: string, data: unknown])[];
  /** Whole answers, as JSON text, that readers get from now on. */
  readonly answers?: ReadonlyMap<string, string>;
}

/** Publishes to a live stream; returns whether the events were news. */
export async function publishLive(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  name: string,
  { id, order, source, events, answers = new Map() }: LiveUpdate,
): Promise<boolean> {
  const publisher: Publisher = redis;
  if (!publisher.publishLive) redis.defineCommand('publishLive', { numberOfKeys: 3, lua: script });
  const keys = liveKeys(config, name);
  const epoch = Math.random().toString(36).slice(2, 12).padEnd(10, '0');
  const published = await publisher.publishLive?.(
    keys.state,
    keys.stream,
    keys.answers,
    keys.channel,
    id,
    order,
    epoch,
    new Date().toISOString(),
    KEPT,
    answers.size,
    source === undefined ? '' : `:${source}`,
    ...[...answers].flat(),
    ...events.flatMap(([type, data]) => [type, JSON.stringify(data)]),
  );
  return published === 1;
}

/** Reads the newest answer of a field; null when there is none. */
export async function readAnswer(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  name: string,
  field: string,
): Promise<string | null> {
  return await redis.hget(liveKeys(config, name).answers, field);
}

/** Reads the newest answers of several fields, all of one instant; null for each there is none of. */
export async function readAnswers(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  name: string,
  fields: readonly string[],
): Promise<(string | null)[]> {
  return await redis.hmget(liveKeys(config, name).answers, ...fields);
}
