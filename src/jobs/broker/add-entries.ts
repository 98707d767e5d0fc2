import { addDelayedJob } from 'bullmq/dist/esm/scripts/addDelayedJob-6.js';
import { addPrioritizedJob } from 'bullmq/dist/esm/scripts/addPrioritizedJob-9.js';
import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';
import type { RedisClient } from '#src/system/redis/redis.ts';
import { type BrokerQueue, type BrokerScript, luaFunction, runScript } from './broker-script.ts';

/** An entry as BullMQ keeps it. */
export interface NewEntry {
  readonly id: string;
  /** JSON. */
  readonly data: string;
  readonly priority: number;
  /** Milliseconds until it is due. */
  readonly delay: number;
}

const addEach = `
for i = 3, #ARGV, 4 do
  local id = ARGV[i]
  local opts = { jobId = id, attempts = 1, removeOnComplete = true, removeOnFail = true,
    priority = tonumber(ARGV[i + 2]), delay = tonumber(ARGV[i + 3]) }
  add(KEYS, { cmsgpack.pack({ ARGV[1], id, 'job', ARGV[2] }), ARGV[i + 1], cmsgpack.pack(opts) })
end`;

const delayed: BrokerScript = {
  command: 'addDelayedEntries',
  keys: ['marker', 'meta', 'id', 'delayed', 'completed', 'events'],
  lua: luaFunction('add', addDelayedJob.content) + addEach,
};
const prioritized: BrokerScript = {
  command: 'addPrioritizedEntries',
  keys: ['marker', 'meta', 'id', 'prioritized', 'delayed', 'completed', 'active', 'events', 'pc'],
  lua: luaFunction('add', addPrioritizedJob.content) + addEach,
};
const standard: BrokerScript = {
  command: 'addStandardEntries',
  keys: ['wait', 'paused', 'meta', 'id', 'completed', 'delayed', 'active', 'events', 'marker'],
  lua: luaFunction('add', addStandardJob.content) + addEach,
};

function scriptFor({ delay, priority }: NewEntry): BrokerScript {
  if (delay > 0) return delayed;
  return priority > 0 ? prioritized : standard;
}

/**
 * Adds entries to one queue, by one command for each way that BullMQ has for them. One whose id is there stays as it is.
 *
 * @throws what Redis answers; some may be added then.
 */
export async function addEntries(redis: RedisClient, queue: BrokerQueue, entries: readonly NewEntry[]): Promise<void> {
  await Promise.all(
    [...Map.groupBy(entries, scriptFor)].map(async ([script, own]) => {
      const each = own.flatMap(({ id, data, priority, delay }) => [id, data, priority, delay]);
      await runScript(redis, script, queue, [Date.now(), ...each]);
    }),
  );
}
