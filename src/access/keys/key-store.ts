import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { scopes } from '#src/lib/principal.ts';
import { row } from '#src/system/postgres/postgres.ts';

const OptionalTime = Type.Union([Type.Unsafe<Date>(Type.Any()), Type.Null()]);

export const KeyRow = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  name: Type.String(),
  start: Type.String(),
  last4: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  allowed_ips: Type.Array(Type.String()),
  tier: Type.String(),
  operator: Type.Boolean(),
  human_id: Type.Union([Type.String(), Type.Null()]),
  created_by_proof: Type.Boolean(),
  /**
   * The key that made it; null where an operator, a signed-in person or a proof did, or where it was not recorded yet.
   */
  made_by: Type.Union([Type.String(), Type.Null()]),
  expires_at: OptionalTime,
  revoked_at: OptionalTime,
  last_used_at: OptionalTime,
  created_at: Type.Unsafe<Date>(Type.Any()),
});
export type KeyRow = Static<typeof KeyRow>;

const HashedKeyRow = Type.Object({ ...KeyRow.properties, hash: Type.Unsafe<Buffer>(Type.Any()) });

const columns = sql.fragment`
  id, owner, name, start, last4, scopes, allowed_ips, tier, operator, human_id, created_by_proof, made_by, expires_at,
  revoked_at, last_used_at, created_at`;

export interface NewKey {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly pepperVersion: number;
  readonly start: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly allowedIps: readonly string[];
  readonly tier: string;
  readonly operator: boolean;
  readonly human: string | null;
  readonly expiresAt: Date | null;
  readonly createdByProof: boolean;
  readonly madeBy: string | null;
}

export async function insertKey(db: CommonQueryMethods, key: NewKey): Promise<KeyRow> {
  return await db.one(sql.type(row(KeyRow))`
    insert into keys (id, owner, name, hash, pepper_version, start, last4, scopes, allowed_ips, tier, operator, human_id, expires_at, created_by_proof, made_by)
    values (${key.id}, ${key.owner}, ${key.name}, ${sql.binary(key.hash)}, ${key.pepperVersion}, ${key.start}, ${key.last4},
      ${sql.array([...key.scopes], 'text')}, ${sql.array([...key.allowedIps], 'text')}, ${key.tier}, ${key.operator}, ${key.human},
      ${key.expiresAt && sql.timestamp(key.expiresAt)}, ${key.createdByProof}, ${key.madeBy})
    returning ${columns}`);
}

/** The key that is stored as one of these. */
export async function findKeyByHash(
  db: CommonQueryMethods,
  hashes: readonly Buffer[],
): Promise<Static<typeof HashedKeyRow> | null> {
  const wanted = sql.join(
    hashes.map((hash) => sql.binary(hash)),
    sql.fragment`, `,
  );
  return await db.maybeOne(sql.type(row(HashedKeyRow))`select ${columns}, hash from keys where hash in (${wanted})`);
}

/** Stores a key under another pepper; nothing where it was stored so meanwhile. */
export async function updateHash(db: CommonQueryMethods, id: string, was: Buffer, hash: Buffer): Promise<void> {
  await db.query(sql.unsafe`update keys set hash = ${sql.binary(hash)} where id = ${id} and hash = ${sql.binary(was)}`);
}

export async function selectKeys(db: CommonQueryMethods, owner: string | null): Promise<readonly KeyRow[]> {
  return await db.any(sql.type(row(KeyRow))`
    select ${columns} from keys where ${owner}::text is null or owner = ${owner} order by id`);
}

/** A key as it is at this moment, without a lock. */
export async function readKey(db: CommonQueryMethods, id: string): Promise<KeyRow | null> {
  return await db.maybeOne(sql.type(row(KeyRow))`select ${columns} from keys where id = ${id}`);
}

/** A key, held against changes until the transaction ends. */
export async function selectKey(tx: CommonQueryMethods, id: string): Promise<KeyRow | null> {
  return await tx.maybeOne(sql.type(row(KeyRow))`select ${columns} from keys where id = ${id} for share`);
}

/** Revokes a key of this owner (of anybody, for null); answers the row, or null when there is no such key. */
export async function updateRevoked(db: CommonQueryMethods, id: string, owner: string | null): Promise<KeyRow | null> {
  return await db.maybeOne(sql.type(row(KeyRow))`
    update keys set revoked_at = coalesce(revoked_at, now())
    where id = ${id} and (${owner}::text is null or owner = ${owner}) returning ${columns}`);
}

/** Selects those of these keys that may no longer be used, with the reason. */
export async function selectDeadKeys(
  db: CommonQueryMethods,
  ids: readonly string[],
): Promise<readonly { id: string; reason: string }[]> {
  const Dead = Type.Object({ id: Type.String(), reason: Type.String() });
  return await db.any(sql.type(row(Dead))`
    select wanted.id, case when keys.expires_at <= now() and keys.revoked_at is null then 'expired' else 'revoked' end as reason
    from unnest(${sql.array([...ids], 'uuid')}) as wanted(id) left join keys on keys.id = wanted.id
    where keys.id is null or keys.revoked_at is not null or keys.expires_at <= now()`);
}

/** Notes when keys were last used; never moves a time backwards. */
export async function updateLastUsed(db: CommonQueryMethods, uses: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...uses].map(([id, at]) => [id, new Date(at).toISOString()]);
  await db.query(sql.unsafe`
    update keys set last_used_at = greatest(keys.last_used_at, used.at)
    from ${sql.unnest(rows, ['uuid', 'timestamptz'])} as used(id, at) where keys.id = used.id`);
}

/**
 * Selects the keys of these ids and locks them until the transaction ends; in one order, so that transactions cannot
 * deadlock.
 */
export async function lockKeys(tx: CommonQueryMethods, ids: readonly string[]): Promise<readonly KeyRow[]> {
  return await tx.any(sql.type(row(KeyRow))`
    select ${columns} from keys where id = any(${sql.array([...ids], 'uuid')}) order by id for update`);
}

export async function updateKey(
  tx: CommonQueryMethods,
  id: string,
  change: { readonly name: string; readonly scopes: readonly string[]; readonly allowedIps: readonly string[] },
): Promise<KeyRow> {
  return await tx.one(sql.type(row(KeyRow))`
    update keys set name = ${change.name}, scopes = ${sql.array([...change.scopes], 'text')},
      allowed_ips = ${sql.array([...change.allowedIps], 'text')}
    where id = ${id} returning ${columns}`);
}
