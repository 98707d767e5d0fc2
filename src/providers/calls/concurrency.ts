import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
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

/** Redis with the scripts of this file. */
type Scripted = RedisClient & {
  readonly takeSlot?: (key: string, token: string, limit: number, leaseMs: number) => Promise<number>;
  readonly takeTurn?: (key: string, limit: number) => Promise<number>;
};

/**
 * Counts one call of a provider with a limit per minute (`perMinute` in the catalogue), over all processes. Returns 0
 * where it may go, else the milliseconds until it may be tried again. While Redis is away no call waits: the provider
 * itself refuses then.
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

/** A slot that is not renewed for so long belongs to a process that died. */
const leaseMs = 15_000;
const renewMs = leaseMs / 3;
const pauseMs = { least: 50, most: 1_000 } as const;
/** Longest wait in milliseconds between looks: a turn may come sooner than announced, when other callers give up. */
const waitMost = 5_000;

/** Slots are members of a set, each with the moment its lease ends by Redis' own clock. */
const takeScript = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
if not redis.call('zscore', KEYS[1], ARGV[1]) and redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('zadd', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[3])
return 1`;

/** One of a provider's concurrency slots; given back when disposed. */
type Slot = AsyncDisposable;

/** Slots that this process has taken by itself while Redis was away, by provider. */
const own = perContext(() => new Map<string, Set<string>>());

/**
 * Waits for one of a provider's concurrency slots (`concurrency` in the catalogue) and for its turn in the minute
 * (`perMinute`); without them there is no limit. The limit is that of all processes together; the slots of a process
 * that dies are free after 15 s. While Redis is away each process counts its slots for itself, and the minute is not
 * counted.
 *
 * @param patienceMs longest wait, for a caller that can call another provider
 * @throws the signal's reason; AppError `rate_limited` after that wait
 */
export async function takeSlot(
  context: Context,
  provider: Provider,
  signal: AbortSignal,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<Slot> {
  const until = performance.now() + patienceMs;
  const slot = await waitForSlot(context, provider, signal, until);
  try {
    for (;;) {
      const waitMs = await takeTurn(context, provider);
      if (waitMs === 0) return slot;
      if (performance.now() + waitMs > until)
        throw busy(provider, `${counted(provider.perMinute ?? 0, 'call')} in a minute`, waitMs);
      await pause(Math.min(waitMs, waitMost), signal);
    }
  } catch (error) {
    await slot[Symbol.asyncDispose]();
    throw error;
  }
}

async function waitForSlot(context: Context, provider: Provider, signal: AbortSignal, until: number): Promise<Slot> {
  const limit = provider.concurrency;
  if (limit === undefined) return { [Symbol.asyncDispose]: async () => {} };
  const token = randomUUID();
  for (let wait: number = pauseMs.least; ; wait = Math.min(pauseMs.most, wait * 1.5)) {
    signal.throwIfAborted();
    if (await take(context, provider.id, token, limit)) break;
    const left = until - performance.now();
    if (left <= 0) throw busy(provider, `${counted(limit, 'call')} at once`, pauseMs.most);
    await pause(Math.min(left, wait * (0.5 + Math.random())), signal);
  }
  let renewing: Promise<unknown> = Promise.resolve();
  const renewal = setInterval(() => {
    renewing = take(context, provider.id, token, limit);
  }, renewMs);
  renewal.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(renewal);
      // one that is under way would take the slot once more
      await renewing;
      await giveBack(context, provider.id, token);
    },
  };
}

/** @throws the signal's own reason */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function busy({ id }: Provider, limit: string, waitMs: number): AppError {
  return new AppError('rate_limited', `${id} takes at most ${limit}, and has as many.`, {
    provider: id,
    retry_after_seconds: Math.ceil(waitMs / 1_000),
  });
}

/** Takes a slot, or renews the one that this token has; false where none is free. */
async function take(context: Context, provider: string, token: string, limit: number): Promise<boolean> {
  const { redis, log } = context;
  const scripted: Scripted = redis;
  if (!scripted.takeSlot) redis.defineCommand('takeSlot', { numberOfKeys: 1, lua: takeScript });
  const slots = slotsOf(context, provider);
  try {
    const taken = (await scripted.takeSlot?.(keyOf(context, provider), token, limit, leaseMs)) === 1;
    if (taken) slots.add(token);
    return taken;
  } catch (error) {
    log.debug({ err: error, provider }, 'slots are counted by this process alone while Redis is away');
    if (!slots.has(token) && slots.size >= limit) return false;
    slots.add(token);
    return true;
  }
}

async function giveBack(context: Context, provider: string, token: string): Promise<void> {
  slotsOf(context, provider).delete(token);
  try {
    await context.redis.zrem(keyOf(context, provider), token);
  } catch (error) {
    context.log.debug({ err: error, provider }, 'a slot was not released; its lease ends by itself');
  }
}

function slotsOf(context: Context, provider: string): Set<string> {
  const all = own(context);
  const slots = all.get(provider) ?? new Set<string>();
  all.set(provider, slots);
  return slots;
}

const keyOf = ({ config }: Context, provider: string): string => `${config.REDIS_PREFIX}:places:${provider}`;
