import { createHmac } from 'node:crypto';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** Version of the pepper that new keys are hashed with; stored with each key, so that a second pepper can be added. */
export const pepperVersion = 1;

/**
 * HMAC-SHA-256 of a key under the pepper. A key carries 256 random bits, so a slow hash would add no safety, only
 * latency and a way to load the CPU.
 *
 * @throws AppError `invalid_configuration` when no pepper is set.
 */
export function hashKey(config: Config, secret: string): Buffer {
  if (config.KEY_PEPPER === '') {
    throw new AppError('invalid_configuration', 'KEY_PEPPER: expected at least 32 characters, got nothing.', {
      variable: 'KEY_PEPPER',
    });
  }
  return createHmac('sha256', config.KEY_PEPPER).update(secret).digest();
}

/**
 * Returns the hashes that a key may be stored as, the present pepper first: while the pepper is changed there are two.
 */
export function hashesOf(config: Config, secret: string): readonly Buffer[] {
  const present = hashKey(config, secret);
  const { KEY_PEPPER_OTHER: other } = config;
  return other === '' ? [present] : [present, hashKey({ ...config, KEY_PEPPER: other }, secret)];
}
