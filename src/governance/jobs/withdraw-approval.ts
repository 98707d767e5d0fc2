import { sql } from 'slonik';
import Type from 'typebox';
import { publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Withdrawn = Type.Object({ id: Type.String(), owner: Type.String() });

/**
 * Ends the request for a decision about a job that was cancelled, or expired, while it waited: there is nothing to decide
 * any more.
 */
export async function withdrawApproval(context: Context, job: string): Promise<void> {
  const told = await context.db.transaction(async (tx) => {
    const gone = await tx.maybeOne(sql.type(row(Withdrawn))`
      update approvals set state = 'expired', reason = 'its job has ended'
      where job = ${job} and state in ('pending', 'granted') returning id, owner`);
    await tx.query(sql.unsafe`update jobs set gate = null where id = ${job} and gate = 'asked'`);
    return gone && { ...gone, event: await tellOwner(tx, gone.owner, 'approval.expired', { approval: gone.id }) };
  });
  if (told) await publishOwnerEvents(context, told.owner, [told.event]);
}
