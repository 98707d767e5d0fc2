import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { addressBlock } from '#src/access/keys/address-ranges.ts';
import { isTier, quotaOf, type Tier, tierNames } from '#src/access/keys/tiers.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import type { Context } from '#src/system/context.ts';

/** One policy that a request counted against, and what is left of it. */
export interface Budget {
  readonly policy: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export interface Limits {
  /** Counts one request of a key, or of the human that it is bound to, against their minute and their day. */
  readonly ofKey: (subject: string, tier: string) => Promise<readonly Budget[]>;
  /** Counts one request without credentials against its address. */
  readonly ofAddress: (ip: string) => Promise<readonly Budget[]>;
}

/** A policy: counts one request of a subject, and says what is left. */
type Policy = (subject: string) => Promise<Budget>;

/**
 * Counts in Redis, for all processes together. While Redis is away each process counts for itself, so no caller is
 * locked out and none is unlimited.
 */
export function openLimits(context: Context): Limits {
  const policy = (name: string, points: number, windowSeconds: number): Policy => {
    const options: IRateLimiterOptions = {
      keyPrefix: `${context.config.REDIS_PREFIX}:rate:${name}`,
      points,
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
    const about = { policy: name, quota: points, windowSeconds };
    const count = async (subject: string, requests: number) =>
      await inTime(settled(limiter, subject, requests), () => settled(insurance, subject, requests));
    // requests of one subject that come while others are counted are counted together, each at its own place
    return lanes<string, Budget>(async (subjects) => {
      const budgets: PromiseSettledResult<Budget>[] = [];
      const places = Map.groupBy(subjects.keys(), (place) => subjects[place] ?? '');
      await Promise.all(
        [...places].map(async ([subject, own]) => {
          const counted = await count(subject, own.length);
          for (const [index, place] of own.entries())
            budgets[place] = {
              status: 'fulfilled',
              value: { ...about, ...left(counted, points, own.length - 1 - index) },
            };
        }),
      );
      return budgets;
    });
  };
  const byTier = new Map<Tier, readonly Policy[]>(
    tierNames.map((tier) => {
      const { perMinute, perDay } = quotaOf(context.config, tier);
      return [tier, [policy(`${tier}-minute`, perMinute, 60), policy(`${tier}-day`, perDay, 86_400)]];
    }),
  );
  const anonymous = [policy('anonymous-minute', context.config.ANONYMOUS_PER_MINUTE, 60)];
  const standard = byTier.get('standard') ?? anonymous;

  return {
    ofKey: (subject, tier) => consume((isTier(tier) && byTier.get(tier)) || standard, subject),
    ofAddress: (ip) => consume(anonymous, addressBlock(ip)),
  };
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

async function settled(
  limiter: RateLimiterRedis | RateLimiterMemory,
  subject: string,
  requests: number,
): Promise<RateLimiterRes> {
  return await limiter.consume(subject, requests).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
}

/** The state of a budget after a request with `later` others counted behind it. */
function left({ consumedPoints, msBeforeNext }: RateLimiterRes, points: number, later: number) {
  const consumed = consumedPoints - later;
  return {
    remaining: Math.max(0, points - consumed),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
    exceeded: consumed > points,
  };
}

async function consume(policies: readonly Policy[], subject: string): Promise<readonly Budget[]> {
  return await Promise.all(policies.map(async (count) => await count(subject)));
}
