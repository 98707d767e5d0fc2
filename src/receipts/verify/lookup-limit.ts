import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressBlock } from '#src/access/keys/address-ranges.ts';
import { AppError } from '#src/lib/errors.ts';
import { perContext } from '#src/system/per-context.ts';

/**
 * Counts look-ups on a chain by address, in this process alone: each costs an endpoint several calls.
 *
 * @throws AppError `rate_limited` above ONCHAIN_PER_MINUTE.
 */
export const spendLookup = perContext(({ config }): ((ip: string) => Promise<void>) => {
  const points = config.ONCHAIN_PER_MINUTE;
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return async (ip) => {
    try {
      await limiter.consume(addressBlock(ip));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw new AppError(
        'rate_limited',
        `expected at most ${points} look-ups on the chain a minute, got more from your address; try again in ${seconds} s.`,
        { retry_after_seconds: seconds },
      );
    }
  };
});
