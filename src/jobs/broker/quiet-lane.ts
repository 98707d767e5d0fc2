import type { Context } from '#src/system/context.ts';
import { type BrokerLine, brokerName, brokerPrefix } from './broker-names.ts';
import { type BrokerScript, runScript } from './broker-script.ts';

/*
 * Who has next to nothing to do does not stand in line behind the flood of another: while a queue has a line, a few jobs of
 * each group that is not in it go to the broker at once, before what the feeder has added. How few says the feeder.
 */

/** Time for which places are counted, ms. */
export const QUIET_MS = 100;
/** Time for which workers keep hands free of a line after something went before it, ms. */
export const AHEAD_MS = 10_000;
/** Time after which the feeder's word is void, ms. */
const VOID_MS = 2_000;

/** The groups in line, and the places that groups have taken in this stretch of time. */
export const quietKeys = ['lined', 'quiet'] as const;

/** Function of Lua: may so many jobs of a group go before the line? The keys are the last but one, and that before. */
export const isQuiet = `
local function is_quiet(group, count)
  if group == '' then return false end
  local lined, taken = KEYS[#KEYS - 2], KEYS[#KEYS - 1]
  local places = redis.call('HMGET', taken, 'each', 'all')
  if not places[1] or redis.call('SISMEMBER', lined, group) == 1 then return false end
  local time = redis.call('TIME')
  local stretch = math.floor((time[1] * 1000 + time[2] / 1000) / ${QUIET_MS})
  if tonumber(redis.call('HGET', taken, 'stretch')) ~= stretch then
    -- the feeder alone makes it last: without one, all stand in line
    local left = redis.call('PTTL', taken)
    redis.call('DEL', taken)
    redis.call('HSET', taken, 'each', places[1], 'all', places[2], 'stretch', stretch)
    redis.call('PEXPIRE', taken, left)
  end
  if redis.call('HINCRBY', taken, 'of ' .. group, count) > tonumber(places[1]) then return false end
  return redis.call('HINCRBY', taken, 'of all', count) <= tonumber(places[2])
end`;

const open: BrokerScript = {
  command: 'openQuietLane',
  keys: quietKeys,
  lua: `
redis.call('DEL', KEYS[1])
for i = 4, #ARGV, 1000 do redis.call('SADD', KEYS[1], unpack(ARGV, i, math.min(i + 999, #ARGV))) end
redis.call('PEXPIRE', KEYS[1], ${VOID_MS})
redis.call('HSET', KEYS[2], 'each', ARGV[2], 'all', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ${VOID_MS})`,
};

const close: BrokerScript = {
  command: 'closeQuietLane',
  keys: quietKeys,
  lua: `redis.call('DEL', KEYS[1], KEYS[2])`,
};

/** Places before the line of a queue, and who has none. */
export interface QuietLane {
  /** Jobs of one group in a stretch of {@link QUIET_MS}, and of all groups together. */
  readonly each: number;
  readonly all: number;
  /** The groups in line. */
  readonly lined: readonly string[];
}

/** Says what may go before the line of a queue, for two seconds; nothing with null. @throws what Redis answers. */
export async function setQuietLane(
  { redis, config }: Pick<Context, 'config' | 'redis'>,
  line: BrokerLine,
  lane: QuietLane | null,
): Promise<void> {
  const queue = { prefix: brokerPrefix(config, line.queue), name: brokerName(line, line.suspect) };
  if (!lane) await runScript(redis, close, queue, []);
  else await runScript(redis, open, queue, [lane.each, lane.all, ...lane.lined]);
}

/** Jobs of one group that this process tries to bring before a line in a stretch. */
const MOST_TRIED = 16;
/** Time for which a group that had no place is not tried again, ms. */
const REFUSED_MS = 200;
const MOST_KNOWN = 10_000;

interface Tried {
  readonly since: number;
  jobs: number;
}

/** Guess of one process: a group whose jobs may find a place before a line. What it costs to be wrong is two more commands. */
export function openTries() {
  const tried = new Map<string, Tried>();
  const refusedUntil = new Map<string, number>();
  const bounded = <V>(known: Map<string, V>) => {
    if (known.size > MOST_KNOWN) known.clear();
  };
  return {
    /** Counts a job of a group of a queue; false where it had better stand in line at once. */
    isWorthATry: (queue: string, group: string): boolean => {
      const name = `${queue}\0${group}`;
      const now = performance.now();
      if ((refusedUntil.get(name) ?? 0) > now) return false;
      const known = tried.get(name);
      const own = known && known.since > now - QUIET_MS ? known : { since: now, jobs: 0 };
      own.jobs++;
      bounded(tried);
      tried.set(name, own);
      return own.jobs <= MOST_TRIED;
    },
    refused: (queue: string, group: string): void => {
      bounded(refusedUntil);
      refusedUntil.set(`${queue}\0${group}`, performance.now() + REFUSED_MS);
    },
  };
}
