import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Key } from './keys.ts';

/** Changes of a key. */
export const keyActions = ['created', 'updated', 'revoked'] as const;
type KeyAction = (typeof keyActions)[number];

/** One change of a key, and who made it by which request. */
export interface KeyChange {
  readonly action: KeyAction;
  readonly by: Principal;
  readonly requestId: string;
  /** New values by name; no secret. */
  readonly changes: Readonly<Record<string, unknown>>;
}

const Row = Type.Object({
  action: Type.Enum([...keyActions]),
  changed_by: Type.String(),
  changes: Type.Unsafe<unknown>({}),
  request_id: Type.String(),
  at: Type.Unsafe<Date>({}),
});

/** Notes a change, in the transaction that makes it. */
export async function noteKeyChange(tx: CommonQueryMethods, key: Key, change: KeyChange): Promise<void> {
  const { action, by, requestId, changes } = change;
  const who = by.session ? `person ${by.session.email}` : `key ${by.keyId}`;
  await tx.query(sql.unsafe`
    insert into key_changes (id, key_id, owner, action, changed_by, changes, request_id)
    values (${randomUUIDv7()}, ${key.id}, ${key.owner}, ${action}, ${who}, ${JSON.stringify(changes)}::jsonb, ${requestId})`);
}

/** Lists the changes of a key, newest first, at most `limit`. */
export async function listKeyChanges(
  { db }: Pick<Context, 'db'>,
  keyId: string,
  limit: number,
): Promise<readonly Static<typeof Row>[]> {
  return await db.any(sql.type(row(Row))`
    select action, changed_by, changes, request_id, at from key_changes where key_id = ${keyId} order by id desc limit ${limit}`);
}
