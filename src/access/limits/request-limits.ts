import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { addressBlock } from '#src/access/keys/address-ranges.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import type { Context } from '#src/system/context.ts';
import type { LimitedCaller, LimitKind } from './limit-kinds.ts';
import { limitsOf } from './limits-known.ts';
import { refusalsOf } from './refusals.ts';

/** One policy that a request counted against, and what is left of it. */
export interface Budget {
  readonly policy: string;
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests in the window, this one included. */
  readonly used: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export interface Limits {
  /** Counts one request of a caller against its minute and its day. `subject`: its key, or the human it is bound to. */
  readonly ofCaller: (subject: string, caller: LimitedCaller) => Promise<readonly Budget[]>;
  /** Counts one request without credentials against its address. */
  readonly ofAddress: (ip: string) => Promise<readonly Budget[]>;
}

/** Counts one request of a subject; answers how many there were in its window, and when that ends. */
type Counter = (subject: string) => Promise<{ readonly consumed: number; readonly resetSeconds: number }>;

/** No count reaches it: what is too much, the caller's limit of the moment says. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

/**
 * Counts in Redis, for all processes together. While Redis is away each process counts for itself, so no caller is
 * locked out and none is unlimited.
 */
export function openLimits(context: Context): Limits {
  const counter = (name: string, windowSeconds: number): Counter => {
    const options: IRateLimiterOptions = {
      keyPrefix: `${context.config.REDIS_PREFIX}:rate:${name}`,
      points: NO_BOUND,
      duration: windowSeconds,
    };
    // in this process, for the time in which Redis does not answer
    const insurance = new RateLimiterMemory(options);
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: context.redis,
      insuranceLimiter: insurance,
      rejectIfRedisNotReady: true,
    });
    const count = async (subject: string, requests: number) =>
      await inTime(limiter.consume(subject, requests), () => insurance.consume(subject, requests));
    // requests of one subject that come while others are counted are counted together, each at its own place
    return lanes<string, Awaited<ReturnType<Counter>>>(async (subjects) => {
      const counts: PromiseSettledResult<Awaited<ReturnType<Counter>>>[] = [];
      const places = Map.groupBy(subjects.keys(), (place) => subjects[place] ?? '');
      await Promise.all(
        [...places].map(async ([subject, own]) => {
          const { consumedPoints, msBeforeNext } = await count(subject, own.length);
          const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
          for (const [index, place] of own.entries())
            counts[place] = {
              status: 'fulfilled',
              value: { consumed: consumedPoints - (own.length - 1 - index), resetSeconds },
            };
        }),
      );
      return counts;
    });
  };
  const windows = [
    { kind: 'requests_per_minute', name: 'minute', windowSeconds: 60, count: counter('minute', 60) },
    { kind: 'requests_per_day', name: 'day', windowSeconds: 86_400, count: counter('day', 86_400) },
  ] as const;
  const anonymous = counter('anonymous-minute', 60);
  const known = limitsOf(context);

  const budgetOf = async (
    { kind, name, windowSeconds, count }: Window,
    subject: string,
    caller: LimitedCaller,
  ): Promise<Budget> => {
    const [{ most, scope }, counted] = await Promise.all([known.of(kind, caller), count(subject)]);
    const whose = scope === 'key' || scope === 'owner' ? scope : (caller.tier ?? 'standard');
    return { policy: `${whose}-${name}`, quota: most, windowSeconds, ...left(counted, most) };
  };

  const refusals = refusalsOf(context);
  const noted = (owner: string | null, budgets: readonly Budget[]): readonly Budget[] => {
    for (const { exceeded, policy } of budgets) if (exceeded) refusals.count(owner, policy);
    return budgets;
  };

  return {
    ofCaller: async (subject, caller) =>
      noted(caller.owner, await Promise.all(windows.map(async (window) => await budgetOf(window, subject, caller)))),
    ofAddress: async (ip) => {
      const most = context.config.ANONYMOUS_PER_MINUTE;
      const counted = await anonymous(addressBlock(ip));
      return noted(null, [{ policy: 'anonymous-minute', quota: most, windowSeconds: 60, ...left(counted, most) }]);
    },
  };
}

interface Window {
  readonly kind: LimitKind;
  readonly name: string;
  readonly windowSeconds: number;
  readonly count: Counter;
}

/** A Redis that hangs must not hold every request up for as long as its commands may take. */
const patienceMs = 250;

async function inTime<T>(answer: Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), patienceMs);
  // no caller takes an answer that comes too late
  answer.catch(() => {});
  const found = await Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  return found ?? (await otherwise());
}

function left({ consumed, resetSeconds }: Awaited<ReturnType<Counter>>, most: number) {
  return { used: consumed, remaining: Math.max(0, most - consumed), resetSeconds, exceeded: consumed > most };
}
