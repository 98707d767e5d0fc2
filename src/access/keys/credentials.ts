import { holdsKey } from '#src/lib/crypto/mask-keys.ts';
import { AppError } from '#src/lib/errors.ts';
import { isKeyShaped } from './key-format.ts';

/** The parts of a request that say who calls. */
export interface Caller {
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>> & { readonly cookie?: string | undefined };
  /** The caller's address, behind the trusted proxies. */
  readonly ip: string;
}

/**
 * The key that a request carries, or null when it carries no credentials.
 *
 * @throws AppError `unauthorized` for a key in the query (addresses end in logs and histories), for two different keys,
 *   and for a text that cannot be a key of ours: that costs no database work.
 */
export function keyOf({ url, headers }: Caller): string | null {
  refuseKeyInQuery(url);
  const bearer = bearerOf(headers['authorization']);
  const header = single(headers['x-api-key']);
  if (bearer && header && bearer !== header)
    throw refused('expected one key, got two different ones in Authorization and X-API-Key.');
  const key = bearer ?? header;
  if (!key) return null;
  if (!isKeyShaped(key))
    throw refused(
      'expected a key of this service (sk-platform- and 49 letters and digits), got another text, or a key with a typing error.',
    );
  return key;
}

function refuseKeyInQuery(url: string): void {
  const start = url.indexOf('?');
  if (start < 0) return;
  const query = url.slice(start);
  const named = /[?&](api_?key|x-api-key|access_token|authorization)=/i.test(query);
  if (named || holdsKey(query)) {
    throw refused(
      'expected the key in the header Authorization or X-API-Key, got it in the address, where logs keep it. Send it in a header, and revoke this one.',
    );
  }
}

function bearerOf(value: string | string[] | undefined): string | null {
  const text = single(value);
  if (!text) return null;
  const [, scheme = '', token = ''] = /^(\S+) +(\S+)$/.exec(text) ?? [];
  if (scheme.toLowerCase() === 'bearer') return token;
  throw refused('expected "Bearer <key>" in Authorization, got another scheme.');
}

function single(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.trim() || null;
}

export function refused(message: string): AppError {
  return new AppError('unauthorized', message);
}
