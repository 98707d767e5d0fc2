import { sql } from 'slonik';
import Type from 'typebox';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { AppError } from '#src/lib/errors.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Schedule, ScheduleRun } from './schedule-row.ts';
import { submissionOf } from './submission-of.ts';

/** Times of one look that are submitted, and those that a later one of them replaces before they are. */
export interface SplitTimes {
  readonly run: readonly Date[];
  readonly replaced: readonly Date[];
}

/** Splits the times of a schedule that are over: of one whose runs replace each other the newest alone is submitted. */
export function splitReplaced({ overlap }: Pick<Schedule, 'overlap'>, times: readonly Date[]): SplitTimes {
  if (overlap !== 'replace') return { run: times, replaced: [] };
  return { run: times.slice(-1), replaced: times.slice(0, -1) };
}

interface TimeOf {
  readonly schedule: Schedule;
  readonly at: Date;
}

/** Jobs of times that are passed over now, which a look before submitted and did not live to note. */
export interface JobsOfTimes {
  readonly of: (schedule: Schedule) => readonly string[];
  /** Puts its job into the note of such a time. */
  readonly noted: <N extends ScheduleRun & TimeOf>(note: N) => N;
}

const FoundJob = row(Type.Object({ owner: Type.String(), key: Type.String(), id: Type.String() }));

/** Finds the jobs of times of schedules whose runs replace each other, so that none lives on beside the newest. */
export async function jobsOfTimes({ db }: Pick<Context, 'db'>, times: readonly TimeOf[]): Promise<JobsOfTimes> {
  const asked = times.filter(({ schedule }) => schedule.overlap === 'replace');
  if (asked.length === 0) return { of: () => [], noted: (note) => note };
  const keyOf = ({ schedule, at }: TimeOf) => submissionOf(schedule, at).idempotencyKey ?? '';
  const nameOf = (owner: string, key: string) => JSON.stringify([owner, key]);
  const rows = await db.any(sql.type(FoundJob)`
    select j.owner, j.idempotency_key as key, j.id
    from unnest(
      ${sql.array(
        asked.map(({ schedule }) => schedule.owner),
        'text',
      )}, ${sql.array(asked.map(keyOf), 'text')}
    ) as g (owner, key) join jobs j on j.owner = g.owner and j.idempotency_key = g.key`);
  const jobs = new Map(rows.map(({ owner, key, id }) => [nameOf(owner, key), id]));
  const jobOf = (time: TimeOf) => jobs.get(nameOf(time.schedule.owner, keyOf(time))) ?? null;
  return {
    of: (schedule) => asked.flatMap((time) => (time.schedule === schedule ? (jobOf(time) ?? []) : [])),
    noted: (note) => {
      const job = note.job === null && note.outcome !== 'refused' && jobs.size > 0 ? jobOf(note) : null;
      return job === null ? note : { ...note, outcome: 'submitted', job, reason: 'A later run replaced it.' };
    },
  };
}

/**
 * Cancels the runs before the newest of a schedule. Answers whether none of them is left: a look that could not cancel one
 * leaves its schedule to the next look, which submits nothing twice.
 */
export async function cancelReplaced(
  context: Context,
  name: string,
  newest: string,
  before: readonly string[],
): Promise<boolean> {
  try {
    for (const job of new Set(before))
      if (job !== newest) await cancelJob(context, job, systemOwner, `schedule ${name} replaces it`).catch(unlessGone);
    return true;
  } catch (error) {
    await logFailure(context, error, { schedule: name }, 'the run before was not replaced');
    return false;
  }
}

/** Handles the error of a cancel of a job that has ended, or was forgotten, meanwhile. @throws every other error */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError && ['state_conflict', 'not_found'].includes(error.code))) throw error;
}
