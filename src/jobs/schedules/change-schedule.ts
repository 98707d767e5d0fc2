import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { keepWebhooks } from '#src/jobs/submit/keep-webhooks.ts';
import type { Submitted } from '#src/jobs/submit/new-job.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { databaseNow } from '#src/system/database-now.ts';
import type { Admit } from './run-due.ts';
import { type Schedule, scheduleColumns, scheduleRow } from './schedule-row.ts';
import { submissionOf } from './submission-of.ts';
import { timeAfter } from './times.ts';

type Named = Pick<Schedule, 'owner' | 'name'>;

/** Stops a schedule, or lets it go on with its next time from now: none that passed meanwhile is made up for. Null for none. */
export async function pauseSchedule(
  context: Context,
  { owner, name }: Named,
  paused: boolean,
): Promise<Schedule | null> {
  const now = await databaseNow(context)();
  return await context.db.transaction(async (tx) => {
    const was = await tx.maybeOne(sql.type(scheduleRow)`
      select ${scheduleColumns} from schedules s where s.owner = ${owner} and s.name = ${name} for update`);
    if (!was || was.paused === paused) return was;
    const next = paused ? was.nextAt : timeAfter({ ...was, from: was.madeAt }, now);
    return await tx.one(sql.type(scheduleRow)`
      update schedules s set paused = ${paused}, next_at = ${next?.toISOString() ?? null}, changed_at = now()
      where s.owner = ${owner} and s.name = ${name} returning ${scheduleColumns}`);
  });
}

/** Removes a schedule with its history; jobs that it has submitted stay. Answers whether there was one. */
export async function removeSchedule({ db }: Pick<Context, 'db'>, { owner, name }: Named): Promise<boolean> {
  const gone = await db.query(sql.unsafe`delete from schedules where owner = ${owner} and name = ${name}`);
  return gone.rowCount > 0;
}

/**
 * Submits a run beside the times of a schedule, whatever its policies, and notes it among its runs.
 *
 * @throws AppError `not_found` for a queue that is gone, `invalid_payload`, `quota_exceeded`, `unavailable`
 */
export async function runNow(context: Context, schedule: Schedule, admit: Admit): Promise<Submitted> {
  const { queue, version } = schedule;
  const contract = await assertOwnQueue(context, schedule, queue, version ?? undefined, 'queue');
  const submission = submissionOf(schedule, `now ${randomUUIDv7()}`);
  await admit(schedule, queue, submission.group);
  const submitted = await submit(context, contract, submission);
  if (schedule.receiver !== null) await keepWebhooks(context, [{ job: submitted.job.id, endpoint: schedule.receiver }]);
  await context.db.query(sql.unsafe`
    insert into schedule_runs (owner, schedule, at, outcome, job, reason)
    select s.owner, s.name, clock_timestamp(), 'submitted', ${submitted.job.id}, 'by hand'
    from schedules s where s.owner = ${schedule.owner} and s.name = ${schedule.name}
    on conflict do nothing`);
  return submitted;
}
