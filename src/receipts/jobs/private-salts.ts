import { hkdfSync } from 'node:crypto';
import type { Config } from '#src/system/config/config-type.ts';

/** Derives the salt of a job's private parts: the same at every try, and not guessable. 32 bytes. */
export function jobSalt({ KEY_PEPPER }: Pick<Config, 'KEY_PEPPER'>, job: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', KEY_PEPPER, job, 'platform/execution-salt/v1', 32));
}

/** Derives the salt of one private part: each has one of its own, so that equal parts do not show as equal. 32 bytes. */
export function partSalt(salt: Uint8Array, name: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', salt, new Uint8Array(), `platform/salt/v1 ${name}`, 32));
}
