import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { addressBlock } from '#src/access/keys/address-ranges.ts';
import { isTier, quotaOf, type Tier, tierNames } from '#src/access/keys/tiers.ts';
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

interface Policy {
  readonly name: string;
  readonly limiter: RateLimiterRedis;
  /** Counts in this process, for the time in which Redis does not answer. */
  readonly insurance: RateLimiterMemory;
  readonly windowSeconds: number;
}

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
    const insurance = new RateLimiterMemory(options);
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: context.redis,
      insuranceLimiter: insurance,
      rejectIfRedisNotReady: true,
    });
    return { name, limiter, insurance, windowSeconds };
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

async function settled(limiter: RateLimiterRedis | RateLimiterMemory, subject: string): Promise<RateLimiterRes> {
  return await limiter.consume(subject).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
}

async function consume(policies: readonly Policy[], subject: string): Promise<readonly Budget[]> {
  return await Promise.all(
    policies.map(async ({ name, limiter, insurance, windowSeconds }) => {
      const result = await inTime(settled(limiter, subject), () => settled(insurance, subject));
      return {
        policy: name,
        quota: limiter.points,
        windowSeconds,
        remaining: Math.max(0, result.remainingPoints),
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
        exceeded: result.consumedPoints > limiter.points,
      };
    }),
  );
}
