import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { type PublicUrls, publicOrigins, publicUrlOf } from '#src/system/config/public-url.ts';
import { derivedSecret } from './cookie.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The part of a request that only a page of ours, or one that we allow, can have written. */
export interface Written {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Returns the token that a page must send as `x-csrf-token`: our pages can read it from us, and no page of another site
 * can.
 */
export function forgeryToken(config: Config, sessionId: string): string {
  return createHmac('sha256', derivedSecret(config, 'token')).update(sessionId).digest('base64url');
}

/**
 * Refuses what a browser may send for a page of another site: it adds the cookie by itself. A key in a header is no
 * such thing.
 *
 * @throws AppError `forbidden` for a call that changes something, by a session, without its token or from another page.
 */
export function assertNotForged(config: Config, { method, headers }: Written, { session }: Principal): void {
  if (!session || safeMethods.has(method)) return;
  assertOwnPage(headers['origin'], config);
  const token = headers['x-csrf-token'];
  if (typeof token === 'string' && same(token, forgeryToken(config, session.id))) return;
  throw new AppError(
    'forbidden',
    `expected the token of this session (GET /auth/session) in x-csrf-token, got ${token === undefined ? 'none' : 'another'}.`,
    { header: 'x-csrf-token', reason: 'csrf_token' },
  );
}

/** @throws AppError `forbidden` unless the page is of our own address or of ALLOWED_ORIGINS. */
export function assertOwnPage(
  origin: string | string[] | undefined,
  config: Pick<Config, 'ALLOWED_ORIGINS' | 'HOST' | 'PORT'> & PublicUrls,
): void {
  const allowed = [new URL(publicUrlOf(config)).origin, ...publicOrigins(config), ...config.ALLOWED_ORIGINS];
  if (typeof origin === 'string' && allowed.includes(origin)) return;
  throw new AppError(
    'forbidden',
    `expected a page of this service or of an allowed origin (ALLOWED_ORIGINS), got ${JSON.stringify(origin ?? 'none')}.`,
    { origin: origin ?? null, reason: 'origin' },
  );
}

function same(token: string, expected: string): boolean {
  const [left, right] = [Buffer.from(token), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
