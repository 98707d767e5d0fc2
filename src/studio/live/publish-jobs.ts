import { sql } from 'slonik';
import { Type } from 'typebox';
import type { OwnerEventType } from '#src/governance/owners/owner-event-types.ts';
import { type OwnerEvent, publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const PAGE = 200;

/** Owner events, by the name of the job event in its ledger. */
const ownerEvents: Readonly<Record<string, OwnerEventType>> = {
  awaiting_approval: 'job.awaiting_approval',
  queued: 'job.queued',
  started: 'job.started',
  retrying: 'job.retried',
  redriven: 'job.queued',
  succeeded: 'job.succeeded',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
};

const Behind = Type.Object({ id: Type.String() });
const Locked = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  kind: Type.String(),
  plan: Type.Union([Type.String(), Type.Null()]),
  parent: Type.Union([Type.String(), Type.Null()]),
  told: Type.Integer(),
  events: Type.Integer(),
  state: Type.String(),
});
const JobEventRow = Type.Object({
  n: Type.Integer(),
  type: Type.String(),
  data: Type.Unsafe<Record<string, unknown>>({}),
});

/**
 * Publishes the ledger events of the studio's jobs to their owners' streams. Returns whether there may be more. The
 * position in each ledger is committed with the published events, so nothing is published twice or left out, whichever
 * process does it.
 */
export async function publishJobs(context: Context): Promise<boolean> {
  const found = await behind(context);
  for (const { id } of found) await publishJob(context, id);
  return found.length === PAGE;
}

/** Finds jobs with events that are not published yet. */
async function behind({ db }: Context): Promise<readonly { readonly id: string }[]> {
  return await db.any(sql.type(row(Behind))`
    select s.id from studio_jobs s join jobs j on j.id = s.id
    where s.closed_at is null and j.events > s.told order by s.id limit ${PAGE}`);
}

async function publishJob(context: Context, id: string): Promise<void> {
  const { owner, events } = await context.db.transaction(async (tx) => {
    const job = await tx.maybeOne(sql.type(row(Locked))`
      select s.id, s.owner, s.kind, s.plan, s.parent, s.told, j.events, j.state
      from studio_jobs s join jobs j on j.id = s.id where s.id = ${id} for update of s`);
    if (!job) return { owner: '', events: [] };
    const news = await tx.any(sql.type(row(JobEventRow))`
      select n, type, data from events where job = ${id} and n > ${job.told} and n <= ${job.events} order by n`);
    await tx.query(sql.unsafe`
      update studio_jobs set told = ${job.events}, closed_at = case when ${isOver(job.state)} then now() end
      where id = ${id}`);
    const written: OwnerEvent[] = [];
    for (const { type, data } of news) {
      const name = ownerEvents[type];
      if (name === undefined) continue;
      const { kind, plan, parent } = job;
      const error = 'error' in data ? { error: data['error'] } : {};
      written.push(await tellOwner(tx, job.owner, name, { job: id, kind, plan, parent, ...error }));
    }
    return { owner: job.owner, events: written };
  });
  if (events.length > 0) await publishOwnerEvents(context, owner, events);
}

/** A failed job may be redriven, so more may come of it. */
function isOver(state: string): boolean {
  return state === 'succeeded' || state === 'cancelled';
}
