import type { CommonQueryMethods } from 'slonik';
import { AppError } from '#src/lib/errors.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { isWithin, normaliseRange } from './address-ranges.ts';
import { refused } from './credentials.ts';
import { assertGrantable } from './grants.ts';
import { noteKeyChange } from './key-changes.ts';
import { lockKeys, readKey, updateKey, updateRevoked } from './key-store.ts';
import { type Key, nameOf } from './keys.ts';
import { assertWithin, type LesserKey, lesserKey, type NewKey } from './lesser-key.ts';
import { assertMayManage } from './may-change-key.ts';
import { announcePurge } from './purge.ts';

/** Caller who changes keys of theirs, and the request. */
export interface Changer {
  readonly principal: Principal;
  readonly requestId: string;
}

export interface KeyUpdate {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  /** Scopes that `scopes` decides on; any other that the key has stays. All where nothing is said. */
  readonly among?: readonly Scope[];
  readonly allowedIps?: readonly string[];
}

/** Makes a key within what the caller holds, and notes it. @throws AppError as `lesserKey` does. */
export async function createOwnKey(
  context: Context,
  { principal, requestId }: Changer,
  request: LesserKey,
): Promise<NewKey> {
  return await context.db.transaction(async (tx) => {
    const made = await lesserKey(tx, context, principal, request);
    await noteKeyChange(tx, made.key, { action: 'created', by: principal, requestId, changes: grantsOf(made.key) });
    return made;
  });
}

/**
 * Changes name, scopes or addresses of a key of the caller's owner; it counts at once, in every process after 5 s at
 * the latest. What the key gets beyond what it had, the caller must hold, from all its addresses and for all its time;
 * what it had already may stay.
 *
 * @throws AppError `not_found` for an unknown key or one of another owner, `state_conflict` for one that was revoked,
 *   `forbidden` where the caller may not change this key (`assertMayManage`) or naming what is more than it holds,
 *   `invalid_request` for a bad name or range.
 */
export async function updateOwnKey(
  context: Context,
  { principal, requestId }: Changer,
  id: string,
  update: KeyUpdate,
): Promise<Key> {
  const changed = await context.db.transaction(async (tx) => {
    const { key, caller } = await lockOwn(tx, principal, id);
    if (key.revoked_at)
      throw new AppError('state_conflict', `expected a key that is valid, got ${id}, which was revoked.`, { id });
    const scopes = scopesAfter(key, update);
    const added = scopes.filter((scope) => !key.scopes.includes(scope));
    // as the caller's key is now, not as it was when the call came in
    assertGrantable({ ...principal, scopes: caller?.scopes ?? principal.scopes }, { scopes: added });
    const allowedIps = [...new Set((update.allowedIps ?? key.allowed_ips).map(normaliseRange))];
    const isWider = allowedIps.length === 0 ? key.allowed_ips.length > 0 : !allAreWithin(allowedIps, key.allowed_ips);
    if (isWider || added.length > 0) assertNoMore({ ...key, allowed_ips: allowedIps }, caller);
    const name = nameOf(update.name ?? key.name);
    const after = await updateKey(tx, id, { name, scopes, allowedIps });
    const { among: _, ...changes } = update;
    await noteKeyChange(tx, after, { action: 'updated', by: principal, requestId, changes });
    return after;
  });
  await announcePurge(context, changed.id);
  return changed;
}

function scopesAfter({ scopes: held }: Key, { scopes, among }: KeyUpdate): readonly Scope[] {
  if (!scopes) return held;
  return among ? [...scopes, ...held.filter((scope) => !among.includes(scope))] : scopes;
}

/**
 * Revokes a key of the caller's owner, for good. Again is no error, and changes nothing. A signed-in person who has
 * proven to be a human may revoke that human's keys as well.
 *
 * @throws AppError `not_found` for an unknown key or one of another owner, `forbidden` where the caller may not revoke
 *   it (`assertMayManage`).
 */
export async function revokeOwnKey(context: Context, { principal, requestId }: Changer, id: string): Promise<Key> {
  const revoked = await context.db.transaction(async (tx) => {
    const { key } = await lockOwn(tx, principal, id, { withHuman: true });
    if (key.revoked_at) return key;
    const after = await updateRevoked(tx, id, key.owner);
    await noteKeyChange(tx, key, { action: 'revoked', by: principal, requestId, changes: {} });
    return after ?? key;
  });
  await announcePurge(context, revoked.id);
  return revoked;
}

/**
 * A key whose use the caller may read. A person or an operator may read any of their owner's, a key those that it may
 * change.
 *
 * @throws AppError `not_found` for an unknown key or one of another owner, `forbidden` for one that is not the caller's
 *   to read
 */
export async function keyToRead({ db }: Pick<Context, 'db'>, { owner, keyId }: Principal, id: string): Promise<Key> {
  const key = await readKey(db, id.toLowerCase());
  if (key?.owner !== owner) throw noKey(id);
  const caller = keyId === null ? null : await readKey(db, keyId);
  if (caller) assertMayManage('read what it was used for', caller, key, await makerOf(db, key));
  return key;
}

async function makerOf(db: CommonQueryMethods, { made_by }: Key): Promise<Key | null> {
  return made_by === null ? null : await readKey(db, made_by);
}

/** The key and the caller's own: who revokes the one that asks waits, or has done so before. */
async function lockOwn(
  tx: CommonQueryMethods,
  { owner, keyId, session, human }: Principal,
  id: string,
  { withHuman = false } = {},
): Promise<{ readonly key: Key; readonly caller: Key | undefined }> {
  const rows = await lockKeys(tx, [id, ...(keyId === null ? [] : [keyId])]);
  const caller = rows.find((one) => one.id === keyId);
  if (keyId !== null && (!caller || caller.revoked_at))
    throw refused('expected a valid key, got one that was revoked.');
  const key = rows.find((one) => one.id === id.toLowerCase());
  const isOfHuman = withHuman && session !== null && human !== null && key?.human_id === human;
  if (!key || (key.owner !== owner && !isOfHuman)) throw noKey(id);
  // a signed-in person has no key of their own, and manages all of theirs
  if (caller) assertMayManage('change or revoke it', caller, key, await makerOf(tx, key));
  return { key, caller };
}

/**
 * A key that gets more may be used where and for as long as the one that gives it, and no more; a session has no such
 * bounds.
 */
function assertNoMore(key: Key, caller: Key | undefined): void {
  if (!caller) return;
  assertWithin(key.allowed_ips, caller.allowed_ips);
  if (!caller.expires_at || (key.expires_at && key.expires_at <= caller.expires_at)) return;
  throw new AppError(
    'forbidden',
    `expected a key that expires with yours or before, got ${key.expires_at?.toISOString() ?? 'one that never does'}; it can only get less.`,
    { reason: 'more_than_yours' },
  );
}

function noKey(id: string): AppError {
  return new AppError('not_found', `expected the id of a key, got ${JSON.stringify(id)}, which is none of yours.`, {
    field: 'path.id',
    value: id,
  });
}

const allAreWithin = (ranges: readonly string[], outer: readonly string[]): boolean =>
  ranges.every((range) => isWithin(range, outer));

function grantsOf({ name, scopes, allowed_ips, expires_at }: Key) {
  return { name, scopes, allowedIps: allowed_ips, expiresAt: expires_at };
}
