import { AppError } from '#src/lib/errors.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { isWithin, normaliseRange } from './address-ranges.ts';
import { refused } from './credentials.ts';
import { assertGrantable } from './grants.ts';
import { selectKey } from './key-store.ts';
import { createKey, type Key } from './keys.ts';

export interface LesserKey {
  readonly name: string;
  /** What the caller's own key may do, where nothing is said; the same for addresses and expiry. */
  readonly scopes?: readonly Scope[];
  readonly allowedIps?: readonly string[];
  readonly expiresAt?: Date | null;
}

/**
 * Makes a key from a key: for the same owner and human, and never more than the key that asks for it, in scopes, time or
 * addresses. Never an operator's.
 *
 * @throws AppError `forbidden` naming what is more, `unauthorized` where the key that asks was revoked meanwhile, or
 *   `invalid_request` as `createKey` does.
 */
export async function makeLesserKey(
  context: Context,
  principal: Principal,
  request: LesserKey,
): Promise<{ readonly key: Key; readonly secret: string }> {
  return await context.db.transaction(async (tx) => {
    // held until the new key is there: who revokes this one, or its human, waits and then finds both
    const own = principal.keyId ? await selectKey(tx, principal.keyId) : null;
    if (!own || own.revoked_at) throw refused('expected a valid key, got one that was revoked.');
    const scopes = request.scopes ?? own.scopes;
    assertGrantable(principal, { scopes, human: own.human_id });
    const expiresAt = request.expiresAt ?? own.expires_at;
    if (own.expires_at && expiresAt && expiresAt > own.expires_at)
      throw more('a key that expires with yours or before', expiresAt.toISOString());
    const allowedIps = (request.allowedIps ?? own.allowed_ips).map(normaliseRange);
    const outside = allowedIps.find((range) => !isWithin(range, own.allowed_ips));
    if (outside !== undefined || (allowedIps.length === 0 && own.allowed_ips.length > 0))
      throw more(`addresses within ${own.allowed_ips.join(', ')}, as your key has`, outside ?? 'any address');
    return await createKey(
      { db: tx, config: context.config },
      { name: request.name, owner: own.owner, tier: own.tier, human: own.human_id, scopes, allowedIps, expiresAt },
    );
  });
}

function more(expected: string, got: string): AppError {
  return new AppError('forbidden', `expected ${expected}, got ${got}.`);
}
