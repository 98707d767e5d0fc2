import { addDelayedJob } from 'bullmq/dist/esm/scripts/addDelayedJob-6.js';
import { addPrioritizedJob } from 'bullmq/dist/esm/scripts/addPrioritizedJob-9.js';
import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';
import type { RedisClient } from '#src/system/redis/redis.ts';
import { type BrokerQueue, type BrokerScript, luaFunction, runScript } from './broker-script.ts';
import { type Carrier, carriedText } from './carriers.ts';
import { AHEAD_MS, isQuiet, quietKeys } from './quiet-lane.ts';

/** Jobs that a queue's window holds where the feeder has not said another number. */
export const DEFAULT_WINDOW = 1_000;

/** Time for which a queue whose window was full stands in line, unless the feeder says it anew, ms. */
const LINE_MS = 5_000;

/*
 * The window of a queue is a hash beside its other keys: how many jobs its entries carry, how many they may, and until
 * when jobs stand in line in Postgres, before which no job that comes may go. What goes before a line has a marker of its
 * own, for the hands that workers keep free of the line; and they keep some for a while after it.
 */
const addEach = `${isQuiet}
local now, bounded, key = tonumber(ARGV[2]), ARGV[3] == '1', KEYS[#KEYS]
local window = redis.call('HMGET', key, 'jobs', 'most', 'lineUntil')
local jobs, most, lineUntil = tonumber(window[1]) or 0, tonumber(window[2]) or ${DEFAULT_WINDOW}, tonumber(window[3]) or 0
local added, refused, ahead = 0, {}, false
for i = 4, #ARGV, 6 do
  local id, count = ARGV[i], tonumber(ARGV[i + 4])
  if bounded and (lineUntil > now or jobs + added + count > most) and not is_quiet(ARGV[i + 5], count) then
    lineUntil = math.max(lineUntil, now + ${LINE_MS})
    refused[#refused + 1] = id
  else
    local opts = { jobId = id, attempts = 1, removeOnComplete = true, removeOnFail = true,
      priority = tonumber(ARGV[i + 2]), delay = tonumber(ARGV[i + 3]) }
    add(KEYS, { cmsgpack.pack({ ARGV[1], id, 'carrier', ARGV[2] }), ARGV[i + 1], cmsgpack.pack(opts) })
    added = added + count
    ahead = ahead or lineUntil > now and tonumber(ARGV[i + 2]) % 2 == 0
  end
end
if added > 0 then redis.call('HINCRBY', key, 'jobs', added) end
if ahead then
  redis.call('ZADD', KEYS[#KEYS - 3], 0, '0')
  redis.call('HSET', key, 'aheadUntil', now + ${AHEAD_MS})
end
if #refused > 0 then redis.call('HSET', key, 'lineUntil', lineUntil) end
return refused`;

const delayed: BrokerScript = {
  command: 'addDelayedCarriers',
  keys: ['marker', 'meta', 'id', 'delayed', 'completed', 'events', 'ahead', ...quietKeys, 'window'],
  lua: luaFunction('add', addDelayedJob.content) + addEach,
};
const prioritized: BrokerScript = {
  command: 'addPrioritizedCarriers',
  keys: [
    'marker',
    'meta',
    'id',
    'prioritized',
    'delayed',
    'completed',
    'active',
    'events',
    'pc',
    'ahead',
    ...quietKeys,
    'window',
  ],
  lua: luaFunction('add', addPrioritizedJob.content) + addEach,
};
const standard: BrokerScript = {
  command: 'addStandardCarriers',
  keys: [
    'wait',
    'paused',
    'meta',
    'id',
    'completed',
    'delayed',
    'active',
    'events',
    'marker',
    'ahead',
    ...quietKeys,
    'window',
  ],
  lua: luaFunction('add', addStandardJob.content) + addEach,
};

function scriptFor({ delay, priority }: Carrier): BrokerScript {
  if (delay > 0) return delayed;
  return priority > 0 ? prioritized : standard;
}

/**
 * Adds carriers to one queue, by one command for each way that BullMQ has for them.
 *
 * @param isBounded true where none is added beyond the queue's window, nor while others stand in line for it, but for those
 *   of a group that has next to nothing there
 * @returns the carriers that were not added
 * @throws what Redis answers; some may be added then.
 */
export async function addCarriers(
  redis: RedisClient,
  queue: BrokerQueue,
  carriers: readonly Carrier[],
  isBounded: boolean,
): Promise<readonly Carrier[]> {
  const refused = await Promise.all(
    [...Map.groupBy(carriers, scriptFor)].map(async ([script, own]) => {
      const each = own.flatMap(({ id, jobs, priority, delay, group }) => [
        id,
        JSON.stringify(jobs.map(carriedText)),
        priority,
        delay,
        jobs.length,
        group,
      ]);
      const ids = (await runScript(redis, script, queue, [Date.now(), isBounded ? 1 : 0, ...each])) as string[];
      return own.filter(({ id }) => ids.includes(id));
    }),
  );
  return refused.flat();
}

const room: BrokerScript = {
  command: 'roomInWindow',
  keys: ['window'],
  lua: `local window = redis.call('HMGET', KEYS[1], 'jobs', 'most', 'lineUntil')
local jobs, most, lineUntil = tonumber(window[1]) or 0, tonumber(window[2]) or ${DEFAULT_WINDOW}, tonumber(window[3]) or 0
if lineUntil > tonumber(ARGV[2]) then return 0 end
return most - jobs`,
};

/** Jobs that a queue's window has room for; none while others stand in line for it. @throws what Redis answers. */
export async function roomInWindow(redis: RedisClient, queue: BrokerQueue): Promise<number> {
  return (await runScript(redis, room, queue, [Date.now()])) as number;
}
