import { randomUUIDv7 } from 'node:crypto';
import type { CommonQueryMethods } from 'slonik';
import { AppError } from '#src/lib/errors.ts';
import { scopes as allScopes, type Scope } from '#src/lib/principal.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { normaliseRange } from './address-ranges.ts';
import { keyPrefix, makeSecret } from './key-format.ts';
import { hashKey, pepperVersion } from './key-hash.ts';
import { insertKey, type KeyRow, selectKeys, updateRevoked } from './key-store.ts';
import { announcePurge } from './purge.ts';
import { isTier, tierNames } from './tiers.ts';

/** Scopes of a verified human unless the operator says otherwise: read and write missions. */
export const missionScopes = ['platform.mcp.read', 'platform.mcp.execute'] as const satisfies readonly Scope[];

/** A key as its owner may see it: everything but the secret. */
export type Key = KeyRow;

export interface KeyRequest {
  readonly owner: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** IP addresses or CIDR ranges the key may be used from; none means anywhere. */
  readonly allowedIps?: readonly string[];
  readonly expiresAt?: Date | null;
  readonly tier?: string;
  readonly operator?: boolean;
  readonly human?: string | null;
  /** True where a proof of personhood requested it, rather than a key or an operator. */
  readonly createdByProof?: boolean;
  /** The key that requested it. */
  readonly madeBy?: string | null;
}

/**
 * Makes a key. The secret is in this answer and nowhere else, ever.
 *
 * @throws AppError `invalid_request` naming the field for a bad owner or name, an unknown scope or tier, a bad range, a
 *   time gone by.
 */
export async function createKey(
  context: { readonly db: CommonQueryMethods; readonly config: Config },
  request: KeyRequest,
): Promise<{ key: Key; secret: string }> {
  const secret = makeSecret();
  const body = secret.slice(keyPrefix.length);
  const key = await insertKey(context.db, {
    id: randomUUIDv7(),
    owner: ownerOf(request.owner),
    name: nameOf(request.name),
    hash: hashKey(context.config, secret),
    pepperVersion,
    start: body.slice(0, 4),
    last4: body.slice(-4),
    scopes: request.scopes.map(scopeOf),
    allowedIps: (request.allowedIps ?? []).map(normaliseRange),
    tier: tierOf(request.tier ?? 'standard'),
    operator: request.operator ?? false,
    human: request.human ?? null,
    expiresAt: futureOf(request.expiresAt ?? null),
    createdByProof: request.createdByProof ?? false,
    madeBy: request.madeBy ?? null,
  });
  return { key, secret };
}

/** The keys of an owner, or of everybody for null, oldest first. */
export async function listKeys(context: Pick<Context, 'db'>, owner: string | null): Promise<readonly Key[]> {
  return await selectKeys(context.db, owner);
}

/**
 * Revokes a key, for good: no process accepts it after 5 s at the latest, and its open streams close. Again is no
 * error.
 *
 * @throws AppError `not_found` when this owner has no such key.
 */
export async function revokeKey(
  context: Pick<Context, 'db' | 'config' | 'redis'>,
  id: string,
  owner: string | null,
): Promise<Key> {
  const key = /^[0-9a-f-]{36}$/i.test(id) ? await updateRevoked(context.db, id, owner) : null;
  if (!key)
    throw new AppError('not_found', `expected the id of a key, got ${JSON.stringify(id)}, which is none of yours.`, {
      field: 'id',
      value: id,
    });
  await announcePurge(context, id);
  return key;
}

function ownerOf(owner: string): string {
  if (/^[\w.@:-]{1,100}$/.test(owner)) return owner;
  throw wrong('owner', '1 to 100 letters, digits, or one of . _ - @ :', owner);
}

/** One line, as lists of keys show it. */
export function nameOf(name: string): string {
  if (/^[^\p{C}]{1,100}$/u.test(name) && name.trim() !== '') return name;
  throw wrong('name', '1 to 100 characters without line breaks and other controls', name);
}

/** @throws AppError `invalid_request` for a text that is no scope. */
export function scopeOf(text: string): Scope {
  const scope = allScopes.find((one) => one === text);
  if (scope) return scope;
  throw wrong('scopes', `one of ${allScopes.join(', ')}`, text);
}

/** @throws AppError `invalid_request` for a text that is no tier. */
export function tierOf(tier: string): string {
  if (isTier(tier)) return tier;
  throw wrong('tier', `one of ${tierNames.join(', ')}`, tier);
}

/** The last moment that RFC 3339 can write; an offset moves `9999-12-31T23:59:59` beyond it. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function futureOf(at: Date | null): Date | null {
  if (!at || (at.getTime() > Date.now() && at.getTime() <= LAST)) return at;
  const got = Number.isNaN(at.getTime()) ? 'no valid time' : at.toISOString();
  throw wrong('expiresAt', 'a time in the future and before the year 10000', got);
}

function wrong(field: string, expected: string, value: string): AppError {
  return new AppError('invalid_request', `${field}: expected ${expected}, got ${JSON.stringify(value)}.`, {
    field,
    value,
  });
}
