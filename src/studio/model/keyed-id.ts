import { hash, randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';

/** Position in a UUID at which the time of version 7 ends, and the random part of others begins. */
const TIME = 14;

const Known = row(Type.Object({ id: Type.String() }));

/** Name under which a client can repeat a request. */
export interface Repeatable {
  readonly owner: string;
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly kind: 'brief' | 'plan';
}

/**
 * An id (UUID of version 7) whose time is now and whose other 74 bits are a digest of owner, kind and Idempotency-Key:
 * what the same key has made before is known by them, and lists stay in order of time.
 */
export function keyedId({ owner, key, kind }: Repeatable): string {
  const digest = hash('sha256', JSON.stringify([owner, kind, key]), 'hex');
  const variant = '89ab'[Number.parseInt(digest[3] ?? '0', 16) % 4] ?? '8';
  return `${randomUUIDv7().slice(0, TIME)}7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

/**
 * Looks for what an Idempotency-Key has made within the last `days`; null where there is nothing. Until the caller's
 * transaction ends, no other request under the same key gets past this line.
 *
 * @param id of {@link keyedId}
 */
export async function findKeyed(
  tx: CommonQueryMethods,
  { owner, kind }: Repeatable,
  id: string,
  days: number,
): Promise<string | null> {
  const digest = id.slice(TIME);
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${digest}, 0))`);
  const table = kind === 'brief' ? sql.fragment`studio_briefs` : sql.fragment`studio_plans`;
  const known = await tx.maybeOne(sql.type(Known)`
    select id from ${table} where owner = ${owner} and right(id::text, ${digest.length}) = ${digest}
      and created_at > now() - ${days} * interval '1 day'
    order by id desc limit 1`);
  return known?.id ?? null;
}
