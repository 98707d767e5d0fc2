import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isAllowed } from '#src/access/keys/address-ranges.ts';
import { type Caller, keyOf, refused } from '#src/access/keys/credentials.ts';
import { hashesOf } from '#src/access/keys/key-hash.ts';
import { findKeyByHash, type KeyRow, updateHash } from '#src/access/keys/key-store.ts';
import { lastUsed } from '#src/access/keys/last-used.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { type Guesses, openGuesses } from './guesses.ts';
import { sessionPrincipal } from './sessions/session-principal.ts';
import { isStreamToken, streamTokenOf } from './stream-tokens/stream-token.ts';
import { findToken } from './stream-tokens/token-store.ts';

/**
 * Longest time a process trusts what it read of a key. With the time of a query it stays under the 5 s that a
 * revocation may take to reach every process, even while Redis is away and no purge arrives.
 */
const verdictMs = 4_000;

/** A process's memory of keys: verdicts for a few seconds, and uses until they are written. */
export interface Access {
  readonly context: Context;
  readonly verdicts: LRUCache<string, { readonly key: KeyRow | null }>;
  /** Guesses that an address has left before its look-ups are refused without a query. */
  readonly guesses: Guesses;
  readonly used: (keyId: string) => void;
  /** Forgets one key: it was revoked or changed. */
  readonly purge: (keyId: string) => void;
}

export function openAccess(context: Context): Access {
  const verdicts = new LRUCache<string, { readonly key: KeyRow | null }>({ max: 20_000, ttl: verdictMs });
  return {
    context,
    verdicts,
    guesses: openGuesses(context.config),
    used: lastUsed(context),
    purge: (keyId) => {
      for (const [hash, { key }] of verdicts.entries()) if (key?.id === keyId) verdicts.delete(hash);
    },
  };
}

/**
 * Resolves the caller of a request. Null when the request carries no credentials at all.
 *
 * @throws AppError `unauthorized` for credentials that are malformed, unknown, revoked, expired, or used from an
 *   address that the key does not allow. The sentence distinguishes these only for a key that exists: its holder may
 *   know. `unavailable` for a session while Redis does not answer.
 */
export async function resolvePrincipal(access: Access, caller: Caller): Promise<Principal | null> {
  const token = streamTokenOf(caller);
  if (token !== null) return await streamPrincipal(access, token, caller.ip);
  const secret = keyOf(caller);
  // a request with both is the key's
  if (!secret) return await sessionPrincipal(access.context, caller.headers.cookie);
  const key = await verdictOn(access, secret, caller.ip);
  if (!key) throw refused('expected a key of this service, got one that does not exist.');
  if (key.revoked_at) throw refused('expected a valid key, got one that was revoked.');
  if (key.expires_at && key.expires_at.getTime() <= Date.now())
    throw refused(`expected a valid key, got one that expired at ${key.expires_at.toISOString()}.`);
  if (!isAllowed(caller.ip, key.allowed_ips))
    throw refused(`expected a call from an address that this key allows, got ${caller.ip}.`);
  access.used(key.id);
  return {
    owner: key.owner,
    keyId: key.id,
    scopes: key.scopes,
    operator: key.operator,
    human: key.human_id,
    session: null,
    tier: key.tier,
  };
}

/**
 * The caller who shows a stream token: it may open that stream, whatever else it shows. Looked up at every use.
 *
 * @throws AppError `unauthorized` for one that is unknown, over or revoked
 */
async function streamPrincipal({ context, guesses }: Access, token: string, ip: string): Promise<Principal> {
  await guesses.check(ip);
  const found = isStreamToken(token) ? await findToken(context, token) : null;
  if (!found) {
    await guesses.count(ip);
    throw refused('expected a valid stream token (POST /v1/stream-tokens), got one that is unknown, over or revoked.');
  }
  const { owner, grant } = found;
  return {
    owner,
    keyId: null,
    scopes: [],
    operator: false,
    human: null,
    session: null,
    tier: 'standard',
    stream: grant,
  };
}

async function verdictOn({ context, verdicts, guesses }: Access, secret: string, ip: string): Promise<KeyRow | null> {
  const hashes = hashesOf(context.config, secret);
  const [present] = hashes as [Buffer];
  const name = present.toString('base64');
  const known = verdicts.get(name);
  if (known) return known.key;
  await guesses.check(ip);
  const found = await findKeyByHash(context.db, hashes);
  const key = found && hashes.some((hash) => timingSafeEqual(found.hash, hash)) ? found : null;
  if (key && !key.hash.equals(present)) await updateHash(context.db, key.id, key.hash, present);
  if (!key) await guesses.count(ip);
  verdicts.set(name, { key });
  return key;
}
