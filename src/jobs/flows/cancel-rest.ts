import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { moves } from '#src/jobs/model/states.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const PAGE = 1_000;

const cancelledRow = row(Type.Object({ queue: Type.String() }));
const idRow = row(Type.Object({ id: Type.String() }));

/**
 * Cancels the jobs of a flow that have not ended: those that no worker holds by the thousand, since a claim refuses what
 * the broker still has of them; the running ones each for itself, since their workers are told.
 *
 * @throws what Postgres fails with while it is away
 */
export async function cancelRest(context: Context, flow: string): Promise<void> {
  for (;;) {
    const cancelled = await context.db.any(sql.type(cancelledRow)`
      with chosen as materialized (
        select id from jobs where parent_id = ${flow} and finished_at is null and state <> 'running'
        order by id limit ${PAGE} for update skip locked
      ), cancelled as (
        update jobs j set state = ${moves.cancel.to}, finished_at = now(), events = j.events + 1, held = false
        from chosen c where j.id = c.id and j.state <> 'running'
        returning j.id, j.queue, j.events
      ), told as (
        insert into events (job, n, type, data)
        select id, events, 'cancelled', jsonb_build_object('by', ${`flow ${flow}`}::text, 'reason', 'flow') from cancelled
      )
      select queue from cancelled`);
    for (const { queue } of cancelled)
      context.metrics.proofline_jobs_finished_total.inc({ queue, outcome: 'cancelled' });
    const held = cancelled.length > 0 ? 0 : await cancelHeld(context, flow);
    if (cancelled.length === 0 && held === 0) return;
  }
}

/** Checks whether jobs of a flow have not ended. */
export async function hasUnfinished(db: CommonQueryMethods, flow: string): Promise<boolean> {
  return await db.exists(sql.unsafe`select from jobs where parent_id = ${flow} and finished_at is null`);
}

/** Cancels those in the hands of a worker, or of another transaction; answers how many it looked at. */
async function cancelHeld(context: Context, flow: string): Promise<number> {
  const ids = await context.db.anyFirst(sql.type(idRow)`
    select id from jobs where parent_id = ${flow} and finished_at is null limit ${PAGE}`);
  await Promise.all(
    ids.map(async (id) => {
      await cancelJob(context, id, `flow ${flow}`).catch((error: unknown) => {
        // it has ended meanwhile
        if (!(error instanceof AppError && (error.code === 'state_conflict' || error.code === 'not_found')))
          throw error;
      });
    }),
  );
  return ids.length;
}
