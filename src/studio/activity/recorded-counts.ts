import { sql } from 'slonik';
import { Type } from 'typebox';
import { listApprovals } from '#src/governance/approvals/approval-row.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

type Db = Pick<Context, 'db'>;

const Count = row(Type.Object({ name: Type.String(), count: Type.Integer() }));

/** Counts an owner's renders and publications in each state. */
export async function countJobs({ db }: Db, owner: string): Promise<Readonly<Record<string, number>>> {
  return record(
    await db.any(sql.type(Count)`
      select j.state as name, count(*) from studio_jobs s join jobs j on j.id = s.id
      where s.owner = ${owner} and s.kind <> 'call' group by 1 order by 1`),
  );
}

/** Counts an owner's approvals in each state; one whose time is over is expired, whether noted or not. */
export async function countApprovals({ db }: Db, owner: string): Promise<Readonly<Record<string, number>>> {
  return record(
    await db.any(sql.type(Count)`
      select case when state in ('pending', 'granted') and expires_at <= now() then 'expired' else state end as name, count(*)
      from approvals where owner = ${owner} group by 1 order by 1`),
  );
}

/** Lists approvals that wait for a decision, the ones that expire first in front. */
export async function approvalQueue(context: Db, owner: string, limit: number) {
  const pending = await listApprovals(context, { owner, state: 'pending', before: null, limit });
  return pending.slice(0, limit).toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime());
}

function record(rows: readonly { readonly name: string; readonly count: number }[]): Readonly<Record<string, number>> {
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
