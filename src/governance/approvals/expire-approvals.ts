import { sql } from 'slonik';
import { Type } from 'typebox';
import { publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { endWaiting } from './end-waiting.ts';

const Gone = Type.Object({ id: Type.String(), owner: Type.String(), job: Type.Union([Type.String(), Type.Null()]) });
const PAGE = 200;

/** Notes which approvals have run out; answers them, with the jobs that waited for them. At most a page each time. */
export async function expireApprovals(context: Context): Promise<readonly Type.Static<typeof Gone>[]> {
  const expired = await context.db.transaction(async (tx) => {
    const gone = await tx.any(sql.type(row(Gone))`
      update approvals set state = 'expired'
      where id in (
        select id from approvals where state in ('pending', 'granted') and expires_at <= now()
        order by expires_at, id limit ${PAGE} for update skip locked
      )
      returning id, owner, job`);
    await endWaiting(
      tx,
      gone.flatMap(({ job }) => job ?? []),
    );
    const events = [];
    // owners in one order, so that two transactions cannot wait for each other
    for (const one of gone.toSorted((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0)))
      events.push({ ...one, event: await tellOwner(tx, one.owner, 'approval.expired', { approval: one.id }) });
    return events;
  });
  for (const { owner, event } of expired) await publishOwnerEvents(context, owner, [event]);
  return expired;
}
