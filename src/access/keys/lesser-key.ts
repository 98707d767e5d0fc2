import type { CommonQueryMethods } from 'slonik';
import { AppError } from '#src/lib/errors.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { isWithin, normaliseRange } from './address-ranges.ts';
import { refused } from './credentials.ts';
import { assertGrantable } from './grants.ts';
import { selectKey } from './key-store.ts';
import { createKey, type Key } from './keys.ts';

export interface NewKey {
  readonly key: Key;
  readonly secret: string;
}

export interface LesserKey {
  readonly name: string;
  /** By default the scopes of the caller's own key; addresses and expiry likewise. */
  readonly scopes?: readonly Scope[];
  readonly allowedIps?: readonly string[];
  readonly expiresAt?: Date | null;
}

/**
 * Makes a key from a key: for the same owner and human, and never more than the key that asks for it, in scopes, time
 * or addresses. Never an operator's. Who is signed in makes keys within what their session may do.
 *
 * @param tx the transaction in which the key that asks is held until the new one is there
 * @throws AppError `forbidden` naming what is more, `unauthorized` where the key that asks was revoked meanwhile, or
 *   `invalid_request` as `createKey` does.
 */
export async function lesserKey(
  tx: CommonQueryMethods,
  { config }: Pick<Context, 'config'>,
  principal: Principal,
  request: LesserKey,
): Promise<NewKey> {
  // held until the new key is there: who revokes this one, or its human, waits and then finds both
  const own = principal.session ? ofSession(principal) : principal.keyId && (await selectKey(tx, principal.keyId));
  if (!own || own.revoked_at) throw refused('expected a valid key, got one that was revoked.');
  const scopes = request.scopes ?? own.scopes;
  assertGrantable({ ...principal, scopes: own.scopes, human: own.human_id }, { scopes, human: own.human_id });
  const expiresAt = request.expiresAt ?? own.expires_at;
  if (own.expires_at && expiresAt && expiresAt > own.expires_at)
    throw more('a key that expires with yours or before', expiresAt.toISOString());
  const allowedIps = [...new Set((request.allowedIps ?? own.allowed_ips).map(normaliseRange))];
  assertWithin(allowedIps, own.allowed_ips);
  return await createKey(
    { db: tx, config },
    {
      name: request.name,
      owner: own.owner,
      tier: own.tier,
      human: own.human_id,
      scopes,
      allowedIps,
      expiresAt,
      madeBy: principal.keyId,
    },
  );
}

/**
 * @throws AppError `forbidden` unless every address of these ranges is one of the others; none of them means every
 *   address.
 */
export function assertWithin(ranges: readonly string[], outer: readonly string[]): void {
  const outside = ranges.find((range) => !isWithin(range, outer));
  if (outside !== undefined || (ranges.length === 0 && outer.length > 0))
    throw more(`addresses within ${outer.join(', ')}, as your key has`, outside ?? 'any address');
}

type Own = Pick<Key, 'owner' | 'tier' | 'human_id' | 'scopes' | 'allowed_ips' | 'expires_at' | 'revoked_at'>;

/** Returns the rights of a signed-in person in the shape of a key. */
function ofSession({ owner, tier, human, scopes }: Principal): Own {
  return { owner, tier, human_id: human, scopes: [...scopes], allowed_ips: [], expires_at: null, revoked_at: null };
}

function more(expected: string, got: string): AppError {
  return new AppError('forbidden', `expected ${expected}, got ${got}.`, { reason: 'more_than_yours' });
}
