import { moveToActive } from 'bullmq/dist/esm/scripts/moveToActive-11.js';
import { moveToFinished } from 'bullmq/dist/esm/scripts/moveToFinished-14.js';
import type { RedisClient } from '#src/system/redis/redis.ts';
import { type BrokerQueue, type BrokerScript, luaFunction, runScript } from './broker-script.ts';

const take: BrokerScript = {
  command: 'takeEntries',
  keys: ['wait', 'active', 'prioritized', 'events', 'stalled', 'limiter', 'delayed', 'paused', 'meta', 'pc', 'marker'],
  lua: `${luaFunction('take', moveToActive.content)}
local opts = cmsgpack.pack({ token = ARGV[3], lockDuration = tonumber(ARGV[4]) })
local taken = {}
for i = 1, tonumber(ARGV[5]) do
  local answer = take(KEYS, { ARGV[1], ARGV[2], opts })
  local fields = answer[1]
  if type(fields) ~= 'table' then return { taken, answer[4] } end
  for field = 1, #fields, 2 do
    if fields[field] == 'data' then taken[i] = { answer[2], fields[field + 1] } end
  end
end
return { taken, 0 }`,
};

const finish: BrokerScript = {
  command: 'finishEntries',
  // the twelfth is the entry's own, and of the thirteenth, for metrics, nothing is kept
  keys: [...take.keys.slice(0, -1), 'completed', '', '', 'marker'],
  lua: `${luaFunction('finish', moveToFinished.content)}
local keys = { unpack(KEYS) }
for i = 3, #ARGV, 2 do
  local id = ARGV[i]
  local opts = { token = ARGV[i + 1], keepJobs = { count = 0 }, attempts = 1, maxMetricsSize = '' }
  keys[12] = ARGV[1] .. id
  finish(keys, { id, ARGV[2], 'returnvalue', 'null', 'completed', '0', ARGV[1], cmsgpack.pack(opts), '' })
end`,
};

/** An entry that was taken: its lock is the token's. */
export interface TakenEntry {
  readonly id: string;
  /** JSON. */
  readonly data: string;
  readonly token: string;
}

/** Entries that were taken; and where there were fewer than wanted, when the next is due in ms, 0 where none is. */
export interface TakenEntries {
  readonly entries: readonly TakenEntry[];
  readonly dueAt: number;
}

/** Takes entries of one queue that are due, at most `most`, and locks them for `lockMs`. @throws what Redis answers. */
export async function takeEntries(
  redis: RedisClient,
  queue: BrokerQueue,
  { token, lockMs, most }: { readonly token: string; readonly lockMs: number; readonly most: number },
): Promise<TakenEntries> {
  const answer = await runScript(redis, take, queue, [Date.now(), token, lockMs, most]);
  const [taken, dueAt] = answer as [readonly (readonly [id: string, data: string])[], number];
  return { entries: taken.map(([id, data]) => ({ id, data, token })), dueAt };
}

/** Has the broker forget entries that were taken. One whose lock was lost stays. @throws what Redis answers. */
export async function finishEntries(
  redis: RedisClient,
  queue: BrokerQueue,
  entries: readonly TakenEntry[],
): Promise<void> {
  const each = entries.flatMap(({ id, token }) => [id, token]);
  await runScript(redis, finish, queue, [Date.now(), ...each]);
}
