import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressBlock } from '#src/access/keys/address-ranges.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';

/**
 * Keys (or other secrets) that do not exist, per address and minute. In the process alone: it protects this one's share
 * of the database.
 */
export interface Guesses {
  /** @throws AppError `rate_limited` for an address that has guessed too often. */
  readonly check: (ip: string) => Promise<void>;
  readonly count: (ip: string) => Promise<void>;
}

export function openGuesses(
  { ANONYMOUS_PER_MINUTE: points }: Pick<Config, 'ANONYMOUS_PER_MINUTE'>,
  what = 'keys',
): Guesses {
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return {
    check: async (ip) => {
      const found = await limiter.get(addressBlock(ip));
      if (!found || found.consumedPoints < points) return;
      const seconds = Math.max(1, Math.ceil(found.msBeforeNext / 1_000));
      throw new AppError(
        'rate_limited',
        `expected fewer than ${points} ${what} a minute that do not exist, got more from your address; try again in ${seconds} s.`,
        { retry_after_seconds: seconds },
      );
    },
    count: async (ip) => void (await limiter.penalty(addressBlock(ip))),
  };
}
