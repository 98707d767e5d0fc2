import { sql } from 'slonik';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { type Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Lets held jobs go, those of `ids` that wait in their queue; the others are left as they are. Answers the jobs that now
 * run as soon as a worker is free.
 */
export async function releaseHeld(context: Context, ids: readonly string[]): Promise<readonly Job[]> {
  const { db, log } = context;
  const released = await db.any(sql.type(jobRow)`
    with locked as materialized (
      select id from jobs where id = any(${sql.array([...ids], 'uuid')}) and state = 'queued' and held order by id for update
    ), changed as (
      update jobs j set held = false, events = j.events + 1, queued_at = now(), run_at = greatest(j.run_at, now())
      from locked l where j.id = l.id returning j.*
    ), told as (
      insert into events (job, n, type, data)
      select id, events, 'released', jsonb_build_object('reason', 'held') from changed
    )
    select ${jobColumns} from changed j order by j.id`);
  // what Redis does not take now, the audit adds
  await openBroker(context)
    .addAll(released)
    .catch((error: unknown) => log.debug({ err: error }, 'broker adds were lost; the audit will repeat them'));
  return released;
}
