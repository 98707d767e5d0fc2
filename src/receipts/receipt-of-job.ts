import { sql } from 'slonik';
import Type from 'typebox';
import type { Job } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const idRow = row(Type.Object({ id: Type.String() }));

/**
 * The id of the receipt that seals what a job did: its own, that of the job that submitted it, or that of its mission,
 * whose steps are submitted under a key with its id. Null while there is none.
 */
export async function receiptOfJob(
  { db }: Pick<Context, 'db'>,
  { id, parentId, idempotencyKey, owner }: Pick<Job, 'id' | 'parentId' | 'idempotencyKey' | 'owner'>,
): Promise<string | null> {
  // no client's key has a space
  const mission = /^mission ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) /.exec(idempotencyKey ?? '')?.[1];
  const ids = [id, parentId, mission].flatMap((one) => one ?? []);
  return await db.maybeOneFirst(sql.type(idRow)`
    select id from receipts where id = any(${sql.array(ids, 'uuid')}) and owner = ${owner}
    order by (id = ${id}) desc limit 1`);
}
