import { createHash, createHmac } from 'node:crypto';
import { fastifyCookie, Signer } from '@fastify/cookie';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { type PublicUrls, publicUrlOf } from '#src/system/config/public-url.ts';

type Settings = Pick<Config, 'KEY_PEPPER' | 'HOST' | 'PORT'> & PublicUrls;

/**
 * Checks whether people reach this service encrypted. Where not, it is on their own machine: the settings allow nothing
 * else.
 */
export function isSecure(config: Settings): boolean {
  return new URL(publicUrlOf(config)).protocol === 'https:';
}

/** A browser takes a cookie of the first name only encrypted, for every path, and from this host alone. */
export function cookieName(config: Settings): string {
  return isSecure(config) ? '__Host-proofline_session' : 'proofline_session';
}

/** Signs the cookie, so that one that we never gave costs no look-up. */
export function cookieSigner(config: Settings): Signer {
  return new Signer(derivedSecret(config, 'cookie'));
}

/** The session that a Cookie header names, as we know it; null for none, and for one that we did not sign. */
export function sessionNamed(config: Settings, header: string | undefined): string | null {
  if (!header?.includes(cookieName(config))) return null;
  const signed = fastifyCookie.parse(header)[cookieName(config)];
  const { valid, value } = signed === undefined ? { valid: false, value: null } : cookieSigner(config).unsign(signed);
  return valid && value !== null ? sessionId(value) : null;
}

/** Returns the name that we store a session under: a reader of our Redis cannot use it as a session. */
export function sessionId(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/**
 * A secret for one purpose of the sessions, the same in every process.
 *
 * @throws AppError `invalid_configuration` when no pepper is set.
 */
export function derivedSecret({ KEY_PEPPER }: Settings, purpose: 'cookie' | 'token'): string {
  if (KEY_PEPPER === '') {
    throw new AppError('invalid_configuration', 'KEY_PEPPER: expected at least 32 characters, got nothing.', {
      variable: 'KEY_PEPPER',
    });
  }
  return createHmac('sha256', KEY_PEPPER).update(`session/${purpose}/v1`).digest('hex');
}
