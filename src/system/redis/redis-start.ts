import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { addressOf, reasonOf } from '#src/system/logging/outage.ts';
import { openRedis } from './redis.ts';

/** For a Redis that is started together with this process. */
const PATIENCE_MS = 5_000;
/** Asking again changes nothing: the password is wrong, the name is not known, or TLS does not come about. */
const FINAL = /WRONGPASS|NOAUTH|invalid password|NOPERM|ENOTFOUND|EPROTO|CERT|certificate/;

/**
 * Waits until Redis answers, a few seconds at most.
 *
 * @throws AppError `invalid_configuration` with its address and why it does not; the signal's reason when that aborts
 *   first.
 */
export async function assertRedisAnswers(
  config: Config,
  signal?: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  signal?.throwIfAborted();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let last: unknown = new Error(`no answer within ${patienceMs / 1_000} s`);
  const fail = () => {
    const message = `REDIS_URL: expected a Redis that answers, got ${addressOf(config.REDIS_URL)}, which does not (${reasonOf(last)}).`;
    reject(new AppError('invalid_configuration', message, { variable: 'REDIS_URL' }, last));
  };
  const redis = openRedis(config, 'patient', (error) => {
    last = error;
    if (FINAL.test(reasonOf(error))) fail();
  });
  const stop = () => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const over = new AbortController();
  sleep(patienceMs, undefined, { signal: over.signal }).then(fail, () => {});
  try {
    const answered = redis.ping().catch(async (error: unknown) => {
      last = error;
      fail();
      return await failed;
    });
    await Promise.race([answered, failed]);
  } finally {
    over.abort();
    signal?.removeEventListener('abort', stop);
    redis.disconnect();
  }
}
