import type { Context } from '#src/system/context.ts';
import { type BrokerLine, brokerName, brokerPrefix } from './broker-names.ts';
import { type BrokerScript, runScript } from './broker-script.ts';

/** An entry of the broker that is there. */
export interface Carried {
  readonly entry: string;
  /** Texts of its deliveries. */
  readonly jobs: readonly string[];
  readonly priority: number;
  /** Milliseconds that it is to wait from when it was added. */
  readonly delay: number;
  /** ms since the epoch. */
  readonly addedAt: number;
  /** False while a taker has it in hand. */
  readonly waits: boolean;
}

/*
 * In one look, else one that is moved between two commands is seen in neither place. A window is short, so this keeps
 * Redis from others for no longer than a batch of adds. What the window is said to hold is put right in the same look:
 * a moment later it would be another number.
 */
const read: BrokerScript = {
  command: 'readCarriers',
  keys: ['wait', 'paused', 'prioritized', 'delayed', 'active', 'window'],
  lua: `local found, jobs = {}, 0
local function each(ids, waits)
  for _, id in ipairs(ids) do
    local entry = redis.call('HMGET', ARGV[1] .. id, 'data', 'priority', 'delay', 'timestamp')
    if entry[1] then
      found[#found + 1] = { id, entry[1], entry[2] or '0', entry[3] or '0', entry[4] or '0', waits }
      -- ids alone: two quotation marks each
      local _, marks = string.gsub(entry[1], '"', '')
      jobs = jobs + waits * math.floor(marks / 2)
    end
  end
end
each(redis.call('LRANGE', KEYS[1], 0, -1), 1)
if redis.call('TYPE', KEYS[2]).ok == 'list' then each(redis.call('LRANGE', KEYS[2], 0, -1), 1) end
each(redis.call('ZRANGE', KEYS[3], 0, -1), 1)
each(redis.call('ZRANGE', KEYS[4], 0, -1), 1)
each(redis.call('LRANGE', KEYS[5], 0, -1), 0)
if redis.call('HGET', KEYS[6], 'jobs') ~= tostring(jobs) and redis.call('EXISTS', KEYS[6]) == 1 then
  redis.call('HSET', KEYS[6], 'jobs', jobs)
end
return found`,
};

type Row = readonly [id: string, data: string, priority: string, delay: string, timestamp: string, waits: number];

const keysOf = ({ config }: Pick<Context, 'config'>, line: BrokerLine) => ({
  prefix: brokerPrefix(config, line.queue),
  name: brokerName(line, line.suspect),
});

/**
 * Reads the entries of one queue of the broker, those in hand included, and puts right how many its window is said to
 * have. @throws what Redis answers.
 */
export async function readCarried(
  context: Pick<Context, 'config' | 'redis'>,
  line: BrokerLine,
): Promise<readonly Carried[]> {
  const rows = (await runScript(context.redis, read, keysOf(context, line), [])) as readonly Row[];
  return rows.map(([entry, data, priority, delay, timestamp, waits]) => ({
    entry,
    jobs: jobsOf(data),
    priority: Number(priority),
    delay: Number(delay),
    addedAt: Number(timestamp),
    waits: waits === 1,
  }));
}

/** Anyone on the same Redis can write an entry: one that is none of ours carries nothing. */
function jobsOf(data: string): readonly string[] {
  try {
    const jobs: unknown = JSON.parse(data);
    return Array.isArray(jobs) ? jobs.filter((job) => typeof job === 'string') : [];
  } catch {
    return [];
  }
}

const advance: BrokerScript = {
  command: 'advanceCarriers',
  keys: ['prioritized', 'wait', 'pc'],
  lua: `for i = 2, #ARGV, 2 do
  if redis.call('ZREM', KEYS[1], ARGV[i]) == 1 then
    local priority = tonumber(ARGV[i + 1])
    if priority > 0 then
      redis.call('ZADD', KEYS[1], priority * 0x100000000 + redis.call('INCR', KEYS[3]) % 0x100000000, ARGV[i])
    else redis.call('LPUSH', KEYS[2], ARGV[i]) end
  end
end`,
};

/** Gives waiting entries other priorities, where they still wait. @throws what Redis answers. */
export async function advanceCarried(
  context: Pick<Context, 'config' | 'redis'>,
  line: BrokerLine,
  entries: readonly { readonly entry: string; readonly priority: number }[],
): Promise<void> {
  const each = entries.flatMap(({ entry, priority }) => [entry, priority]);
  await runScript(context.redis, advance, keysOf(context, line), each);
}

const setWindow: BrokerScript = {
  command: 'setWindow',
  keys: ['window'],
  lua: `for i = 2, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[i])
  else redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end`,
};

/** Parts of a queue's window; null forgets one. */
export interface Window {
  /** Jobs that they may. */
  readonly most?: number;
  /** Until then nothing that comes goes before what stands in line, ms since the epoch. */
  readonly lineUntil?: number | null;
}

/** Reads how many jobs the window of a queue has, as far as it is counted. @throws what Redis answers. */
export async function readWindow(context: Pick<Context, 'config' | 'redis'>, line: BrokerLine): Promise<number> {
  const { prefix, name } = keysOf(context, line);
  return Number((await context.redis.hget(`${prefix}:${name}:window`, 'jobs')) ?? 0);
}

/** Says what the window of a queue is. @throws what Redis answers. */
export async function writeWindow(
  context: Pick<Context, 'config' | 'redis'>,
  line: BrokerLine,
  window: Window,
): Promise<void> {
  const each = Object.entries(window).flatMap(([name, value]) => [name, (value as number | null) ?? '']);
  await runScript(context.redis, setWindow, keysOf(context, line), each);
}
