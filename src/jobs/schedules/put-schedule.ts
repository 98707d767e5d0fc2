import { sql } from 'slonik';
import Type from 'typebox';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { newJob } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { MOST_SCHEDULES } from './most-schedules.ts';
import { type Schedule, scheduleColumns, scheduleRow } from './schedule-row.ts';
import { submissionOf } from './submission-of.ts';
import { checkRule, timeAfter } from './times.ts';

/** A schedule as a caller wants it. */
export type WantedSchedule = Omit<Schedule, 'nextAt' | 'lastAt' | 'lastJob' | 'madeAt' | 'changedAt' | 'paused'>;

const clockRow = row(Type.Object({ now: Type.Unsafe<Date>({}), many: Type.Integer() }));

/**
 * Makes a schedule, or changes the one of its name: its next time is then counted from now, unless its rule is as before.
 *
 * @throws AppError `not_found` for a queue that is not the owner's, `invalid_payload`, `invalid_request` for a rule
 *   that gives no times, `quota_exceeded` beyond `most`
 */
export async function putSchedule(
  context: Context,
  wanted: WantedSchedule,
  most = MOST_SCHEDULES,
): Promise<{ readonly schedule: Schedule; readonly created: boolean }> {
  const { owner, name, queue, version, cron, everyMs, zone } = wanted;
  checkRule(wanted);
  const contract = await assertOwnQueue(context, wanted, queue, version ?? undefined, 'body.queue');
  return await context.db.transaction(async (tx) => {
    const was = await tx.maybeOne(sql.type(scheduleRow)`
      select ${scheduleColumns} from schedules s where s.owner = ${owner} and s.name = ${name} for update`);
    const { now, many } = await tx.one(sql.type(clockRow)`
      select now() as now, case when ${was !== null} then 0 else (select count(*) from schedules where owner = ${owner}) end as many`);
    if (was === null && many >= most)
      throw new AppError(
        'quota_exceeded',
        `expected at most ${most} schedules of yours, got one more: remove one first.`,
        {
          limit: most,
          used: many,
        },
      );
    const madeAt = was?.madeAt ?? now;
    // what could never be submitted is refused now
    newJob(
      contract,
      submissionOf(
        { ...wanted, paused: false, nextAt: null, lastAt: null, lastJob: null, madeAt, changedAt: now },
        now,
      ),
    );
    const isSameRule = was?.cron === cron && was.everyMs === everyMs && was.zone === zone;
    const next = was && isSameRule ? was.nextAt : timeAfter({ ...wanted, from: madeAt }, now);
    const schedule = await tx.one(sql.type(scheduleRow)`
      insert into schedules as s (owner, name, queue, version, payload, cron, every_ms, zone, overlap, missed,
        missed_within_s, options, made_by, key_id, receiver, next_at, made_at)
      values (${owner}, ${name}, ${queue}, ${version}, ${JSON.stringify(wanted.payload ?? null)}::jsonb, ${cron}, ${everyMs},
        ${zone}, ${wanted.overlap}, ${wanted.missed}, ${wanted.missedWithinS}, ${JSON.stringify(wanted.options)}::jsonb,
        ${wanted.madeBy}, ${wanted.keyId}, ${wanted.receiver}, ${next?.toISOString() ?? null}, ${madeAt.toISOString()})
      on conflict (owner, name) do update set queue = excluded.queue, version = excluded.version, payload = excluded.payload,
        cron = excluded.cron, every_ms = excluded.every_ms, zone = excluded.zone, overlap = excluded.overlap,
        missed = excluded.missed, missed_within_s = excluded.missed_within_s, options = excluded.options,
        made_by = excluded.made_by, key_id = excluded.key_id, receiver = excluded.receiver, next_at = excluded.next_at, changed_at = now()
      returning ${scheduleColumns}`);
    return { schedule, created: was === null };
  });
}
