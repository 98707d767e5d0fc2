import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Found = Type.Object({ id: Type.String(), payload: Type.Unsafe<unknown>({}) });
/** Id and payload of a job that was submitted under a key. */
export type Found = Type.Static<typeof Found>;

/**
 * The job of this owner, queue and idempotency key; null when there is none. Whether the request is the same as then is
 * not looked at: `submit` compares it.
 */
export async function findByKey(
  { db }: Pick<Context, 'db'>,
  owner: string,
  queue: string,
  key: string,
): Promise<Found | null> {
  return await db.maybeOne(
    sql.type(
      row(Found),
    )`select id, payload from jobs where owner = ${owner} and queue = ${queue} and idempotency_key = ${key}`,
  );
}
