import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Count = row(Type.Object({ count: Type.Integer() }));

/**
 * Locks a content until the end of the transaction, so that no other transaction records a need for it or removes it.
 * Without the lock a content could go between the moment it is put and the moment its need is recorded.
 */
export async function lockContent(tx: CommonQueryMethods, sha256: string): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`artefact ${sha256}`}, 0))`);
}

/**
 * Removes a content that no asset, no file of a client and no batch that is under way needs any more; its lock must be
 * held.
 *
 * @returns whether it did
 */
export async function dropContent(context: Context, tx: CommonQueryMethods, sha256: string): Promise<boolean> {
  const { count } = await tx.one(sql.type(Count)`
    select (select count(*) from assets where sha256 = decode(${sha256}, 'hex') and erased_at is null)
      + (select count(*) from files where sha256 = decode(${sha256}, 'hex'))
      + (select count(*) from batches where input_sha256 = decode(${sha256}, 'hex') and ended_at is null) as count`);
  if (count > 0) return false;
  await blobsOf(context).remove(sha256);
  return true;
}
