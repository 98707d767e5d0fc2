import { extendLock } from 'bullmq/dist/esm/scripts/extendLock-2.js';
import { moveToActive } from 'bullmq/dist/esm/scripts/moveToActive-11.js';
import { moveToFinished } from 'bullmq/dist/esm/scripts/moveToFinished-14.js';
import type { RedisClient } from '#src/system/redis/redis.ts';
import { type BrokerQueue, type BrokerScript, luaFunction, runScript } from './broker-script.ts';

const ofTaking = [
  'wait',
  'active',
  'prioritized',
  'events',
  'stalled',
  'limiter',
  'delayed',
  'paused',
  'meta',
  'pc',
  'marker',
];

/*
 * A carrier of more jobs than are wanted is split: those that are wanted stay in the entry that was taken, the others
 * are an entry of their own, which is the next. Its id is another for each number of jobs that are left. Entries of the
 * line have odd priorities; while something goes before it now and again, no more of their jobs are taken than `ofLine`.
 */
const take: BrokerScript = {
  command: 'takeCarriers',
  keys: [...ofTaking, 'window', 'ahead'],
  lua: `${luaFunction('take', moveToActive.content)}
local base, now, most, ofLine = ARGV[1], ARGV[2], tonumber(ARGV[5]), tonumber(ARGV[6])
local opts = cmsgpack.pack({ token = ARGV[3], lockDuration = tonumber(ARGV[4]) })
local taken, count, dueAt, kept = {}, 0, 0, 0
local window = redis.call('HMGET', KEYS[12], 'lineUntil', 'aheadUntil')
local isLine = (tonumber(window[1]) or 0) > tonumber(now)
local keeps = isLine and (tonumber(window[2]) or 0) > tonumber(now)
local function is_ahead()
  if redis.call('LLEN', KEYS[1]) > 0 then return true end
  local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
  return first[2] ~= nil and math.floor(tonumber(first[2]) / 0x100000000) % 2 == 0
end
while count < most do
  local wanted = most - count
  if keeps and not is_ahead() then wanted = math.min(wanted, ofLine) end
  if wanted <= 0 then
    kept = 1
    break
  end
  local answer = take(KEYS, { base, now, opts })
  local fields, id = answer[1], answer[2]
  if type(fields) ~= 'table' then
    dueAt = answer[4]
    break
  end
  local entry = {}
  for field = 1, #fields, 2 do entry[fields[field]] = fields[field + 1] end
  local read, jobs = pcall(cjson.decode, entry.data or '[]')
  if not read or type(jobs) ~= 'table' then jobs = {} end
  local priority = tonumber(entry.priority) or 0
  local left = #jobs - wanted
  if left > 0 then
    local rest = {}
    for i = #jobs - left + 1, #jobs do
      rest[#rest + 1] = jobs[i]
      jobs[i] = nil
    end
    local restId = string.match(id, '^[^.]*') .. '.' .. left
    redis.call('HSET', base .. id, 'data', cjson.encode(jobs))
    redis.call('HSET', base .. restId, 'name', entry.name or '', 'data', cjson.encode(rest), 'opts', entry.opts or '{}',
      'timestamp', entry.timestamp or now, 'delay', 0, 'priority', priority)
    if priority > 0 then redis.call('ZADD', KEYS[3], priority * 0x100000000, restId)
    else redis.call('RPUSH', KEYS[1], restId) end
  end
  count = count + #jobs
  if priority % 2 == 1 then ofLine = ofLine - #jobs end
  taken[#taken + 1] = { id, priority, unpack(jobs) }
end
-- one marker wakes one worker
if keeps and redis.call('LLEN', KEYS[1]) > 0 then redis.call('ZADD', KEYS[13], 0, '0') end
if count > 0 and redis.call('HINCRBY', KEYS[12], 'jobs', -count) < 0 then redis.call('HSET', KEYS[12], 'jobs', 0) end
return { taken, dueAt, isLine and 1 or 0, kept }`,
};

const finish: BrokerScript = {
  command: 'finishCarriers',
  // the twelfth is the entry's own, and of the thirteenth, for metrics, nothing is kept
  keys: [...ofTaking.slice(0, -1), 'completed', '', '', 'marker'],
  lua: `${luaFunction('finish', moveToFinished.content)}
local keys = { unpack(KEYS) }
for i = 3, #ARGV, 2 do
  local id = ARGV[i]
  local opts = { token = ARGV[i + 1], keepJobs = { count = 0 }, attempts = 1, maxMetricsSize = '' }
  keys[12] = ARGV[1] .. id
  finish(keys, { id, ARGV[2], 'returnvalue', 'null', 'completed', '0', ARGV[1], cmsgpack.pack(opts), '' })
end`,
};

const renew: BrokerScript = {
  command: 'renewCarriers',
  keys: ['stalled'],
  lua: `${luaFunction('extend', extendLock.content)}
for i = 3, #ARGV, 2 do extend({ ARGV[1] .. ARGV[i] .. ':lock', KEYS[1] }, { ARGV[i + 1], ARGV[2], ARGV[i] }) end`,
};

/** A carrier that was taken: its lock is the token's. */
export interface TakenCarrier {
  readonly id: string;
  readonly priority: number;
  /** Texts of its deliveries, at least one. */
  readonly jobs: readonly string[];
  readonly token: string;
}

/** Carriers that were taken; and where they have fewer jobs than wanted, when the next is due in ms, 0 where none is. */
export interface TakenCarriers {
  readonly carriers: readonly TakenCarrier[];
  readonly dueAt: number;
  /** True while others stand in line for what is taken. */
  readonly isLine: boolean;
  /** True where jobs of the line were left, so that hands stay free for what goes before it. */
  readonly isKept: boolean;
}

interface Taking {
  readonly token: string;
  readonly lockMs: number;
  readonly most: number;
  /** Jobs of a line, once something goes before it now and again. */
  readonly ofLine: number;
}

type Answer = readonly [
  taken: readonly (readonly [id: string, priority: number, ...jobs: string[]])[],
  dueAt: number,
  isLine: number,
  isKept: number,
];

/**
 * Takes carriers of one queue that are due, with at most `most` jobs together, and locks them for `lockMs`.
 *
 * @throws what Redis answers.
 */
export async function takeCarriers(
  redis: RedisClient,
  queue: BrokerQueue,
  { token, lockMs, most, ofLine }: Taking,
): Promise<TakenCarriers> {
  const answer = await runScript(redis, take, queue, [Date.now(), token, lockMs, most, ofLine]);
  const [taken, dueAt, isLine, isKept] = answer as Answer;
  const carriers = taken.map(([id, priority, ...jobs]) => ({ id, priority, jobs, token }));
  return { carriers, dueAt, isLine: isLine === 1, isKept: isKept === 1 };
}

const recall: BrokerScript = {
  command: 'recallDelayed',
  keys: ['delayed'],
  lua: `local now, most = tonumber(ARGV[2]), tonumber(ARGV[3])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], (now + most) * 0x1000, '+inf')) do
  local delay = math.min(tonumber(redis.call('HGET', ARGV[1] .. id, 'delay')) or 0, most)
  redis.call('ZADD', KEYS[1], (now + delay) * 0x1000, id)
end`,
};

/**
 * Has carriers wait from now on that are due later than any can be: the clock of who added them was ahead of this one, or
 * this one went back. @throws what Redis answers.
 */
export async function recallDelayed(redis: RedisClient, queue: BrokerQueue, mostMs: number): Promise<void> {
  await runScript(redis, recall, queue, [Date.now(), mostMs]);
}

const tokensOf = (carriers: readonly TakenCarrier[]) => carriers.flatMap(({ id, token }) => [id, token]);

/** Has the broker forget carriers that were taken. One whose lock was lost stays. @throws what Redis answers. */
export async function finishCarriers(
  redis: RedisClient,
  queue: BrokerQueue,
  carriers: readonly TakenCarrier[],
): Promise<void> {
  await runScript(redis, finish, queue, [Date.now(), ...tokensOf(carriers)]);
}

/** Locks carriers for another `lockMs`, where their locks are not lost. @throws what Redis answers. */
export async function renewCarriers(
  redis: RedisClient,
  queue: BrokerQueue,
  lockMs: number,
  carriers: readonly TakenCarrier[],
): Promise<void> {
  await runScript(redis, renew, queue, [lockMs, ...tokensOf(carriers)]);
}
