import { newEpoch } from '#src/jobs/model/epoch.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import type { RedisClient } from '#src/system/redis/redis.ts';

/** Lines that are kept of one job. */
export const MOST_LINES = 500;

/** Line of a job's log, by its number. */
export interface LogLine {
  readonly id: string;
  readonly at: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly attempt: number;
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Redis keys; one hash tag, since one script changes them all. */
export function logKeys({ REDIS_PREFIX }: Config) {
  const base = `{${REDIS_PREFIX}-logs}`;
  return { lines: `${base}:lines:`, numbers: `${base}:numbers`, ages: `${base}:ages`, state: `${base}:state` };
}

/** Channel on which the lines of a job are published. */
export function logChannel({ REDIS_PREFIX }: Config, job: string): string {
  return `{${REDIS_PREFIX}-logs}:told:${job}`;
}

/*
 * Numbers, keeps and publishes lines in one step. Of one job the newest are kept; of all jobs together no more than a
 * bound, for which the logs go whole that were silent for longest, and none that was silent for longer than another.
 * How many lines there are is counted by the numbers, so that a stream which Redis has let expire counts as it did.
 */
const script = `
local numbers, ages, state, base = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local job, now, keepMs, perJob, most = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
redis.call('hsetnx', state, 'epoch', ARGV[7])
local epoch = redis.call('hget', state, 'epoch')
local function kept(of) return math.min(perJob, tonumber(redis.call('hget', numbers, of) or '0')) end
local before = kept(job)
for i = 9, #ARGV do
  local n = redis.call('hincrby', numbers, job, 1)
  local line = '{"id":"' .. epoch .. '.' .. n .. '",' .. string.sub(ARGV[i], 2)
  redis.call('xadd', base .. job, 'MAXLEN', '=', perJob, n .. '-0', 'line', line)
  redis.call('publish', ARGV[8], '{"epoch":"' .. epoch .. '","n":' .. n .. ',"type":"log","at":"' .. string.match(line, '"at":"([^"]+)"') .. '","data":' .. line .. '}')
end
redis.call('pexpire', base .. job, keepMs)
redis.call('zadd', ages, now, job)
local total = redis.call('hincrby', state, 'lines', kept(job) - before)
for i = 1, 100 do
  local oldest = redis.call('zrange', ages, 0, 0, 'withscores')
  if #oldest == 0 or oldest[1] == job then break end
  if total <= most and tonumber(oldest[2]) >= now - keepMs then break end
  total = redis.call('hincrby', state, 'lines', -kept(oldest[1]))
  redis.call('unlink', base .. oldest[1])
  redis.call('hdel', numbers, oldest[1])
  redis.call('zrem', ages, oldest[1])
end
return 1`;

type Writer = RedisClient & { readonly keepLogLines?: (...args: (string | number)[]) => Promise<number> };

/** Keeps lines of a job, each a JSON object without its id, and publishes them. @throws what Redis answers. */
export async function keepLines({ redis, config }: Context, job: string, lines: readonly string[]): Promise<void> {
  const writer: Writer = redis;
  if (!writer.keepLogLines) redis.defineCommand('keepLogLines', { numberOfKeys: 3, lua: script });
  const { numbers, ages, state, lines: base } = logKeys(config);
  const keepMs = config.JOB_LOG_DAYS * 86_400_000;
  const bounds = [keepMs, MOST_LINES, config.JOB_LOG_LINES];
  const about = [base, job, Date.now(), ...bounds, newEpoch(), logChannel(config, job)];
  await writer.keepLogLines?.(numbers, ages, state, ...about, ...lines);
}

/** Lines of a job with a number above `after`, in order, at most `limit`. */
export async function readLines(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  job: string,
  after: number,
  limit: number,
): Promise<readonly LogLine[]> {
  const entries = await redis.xrange(`${logKeys(config).lines}${job}`, `${after + 1}-0`, '+', 'COUNT', limit);
  return entries.map(([, fields]) => JSON.parse(fields[1] ?? '{}') as LogLine);
}

/** Reads the number of each job's last line, and the history that these numbers belong to. */
export async function lastLines(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  jobs: readonly string[],
): Promise<{ readonly epoch: string; readonly numbers: readonly number[] }> {
  const { numbers, state } = logKeys(config);
  const [epoch, last] = await Promise.all([redis.hget(state, 'epoch'), redis.hmget(numbers, ...jobs)]);
  return { epoch: epoch ?? 'none', numbers: last.map(Number) };
}
