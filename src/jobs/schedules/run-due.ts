import { sql } from 'slonik';
import Type from 'typebox';
import type { QueueContract } from '#queues/define.ts';
import { isTerminal, type State } from '#src/jobs/model/states.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { keepWebhooks } from '#src/jobs/submit/keep-webhooks.ts';
import { type Submission, submitMany } from '#src/jobs/submit/submit.ts';
import { textArray } from '#src/lib/array-literal.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type Due, dueTimes } from './due-times.ts';
import { cancelReplaced, jobsOfTimes, splitReplaced } from './replaced-runs.ts';
import { Schedule, type ScheduleRun, scheduleColumns } from './schedule-row.ts';
import { submissionOf } from './submission-of.ts';

/** Lets the work of an owner in, in the place of a counted job where one is replaced. @throws AppError `quota_exceeded` */
export type Admit = (
  caller: Pick<Schedule, 'owner' | 'keyId'> & { readonly tier?: string },
  queue: string,
  group?: string,
  adds?: { readonly replaces?: boolean },
) => Promise<void>;

/** Schedules of one page. */
export const PAGE = 500;
/** Pages that are worked at beside each other. */
const TOGETHER = 3;

const Found = Type.Interface([Schedule], {
  now: Type.Unsafe<Date>({}),
  lastState: Type.Union([Type.Unsafe<State>({}), Type.Null()]),
  /** True where the last job is one of those that a limit of its queue counts. */
  lastCounts: Type.Boolean(),
  /** Tier of the key that has put it; null without one. */
  tier: Type.Union([Type.String(), Type.Null()]),
});
const foundRow = row(Found);
type Found = Type.Static<typeof Found>;

interface Wanted {
  readonly schedule: Found;
  readonly at: Date;
  readonly queue: QueueContract;
  readonly submission: Submission<QueueContract>;
}

type Noted = ScheduleRun & { readonly schedule: Found };

/**
 * Submits the jobs of the schedules whose time has come; answers how many schedules it looked at. Very many of them in the
 * same second are taken by the page, some pages beside each other, the longest overdue first. A run's idempotency key is
 * its schedule and its time, so that neither a crash in between nor a second process doubles one; the clock is that of
 * Postgres, unless the caller has another.
 */
export async function runDue(context: Context, admit: Admit, clock?: Date): Promise<number> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let looked = 0;
  let last: Found | undefined;
  do {
    const found = await readDue(context, clock, last);
    looked += found.length;
    last = found.length < PAGE ? undefined : found.at(-1);
    const page = runPage(context, admit, found)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(page));
    underWay.add(page);
    if (underWay.size >= TOGETHER) await Promise.race(underWay);
  } while (last && failures.length === 0);
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  return looked;
}

/** Schedules that are due, at most a page, behind the last of the page before. */
async function readDue({ db }: Context, clock: Date | undefined, last: Found | undefined): Promise<readonly Found[]> {
  const now = clock === undefined ? sql.fragment`now()` : sql.fragment`${clock.toISOString()}::timestamptz`;
  const behind = last
    ? sql.fragment`and (s.next_at, s.owner, s.name) > (${isoOf(last.nextAt)}::timestamptz, ${last.owner}, ${last.name})`
    : sql.fragment``;
  return await db.any(sql.type(foundRow)`
    select ${scheduleColumns}, ${now} as now, j.state as "lastState", k.tier,
      coalesce(j.queue = s.queue and j.key_id is not distinct from s.key_id, false) as "lastCounts"
    from schedules s left join jobs j on j.id = s.last_job left join keys k on k.id = s.key_id
    where s.next_at <= ${now} and not s.paused ${behind} order by s.next_at, s.owner, s.name limit ${PAGE}`);
}

async function runPage(context: Context, admit: Admit, found: readonly Found[]): Promise<void> {
  const all = await inTurns(found, (schedule) => {
    const { run, ...times } = dueTimes(schedule, schedule.now);
    return { schedule, ...times, ...splitReplaced(schedule, run) };
  });
  const had = await jobsOfTimes(
    context,
    all.flatMap(({ schedule, missed, replaced }) => [...missed, ...replaced].map((at) => ({ schedule, at }))),
  );
  const noted: Noted[] = all.flatMap(({ schedule, missed, replaced, beyond }) => [
    ...passedOver(schedule, missed, beyond),
    ...replaced.map((at) => ({
      schedule,
      at,
      outcome: 'skipped' as const,
      job: null,
      reason: 'A later run replaced it.',
    })),
  ]);
  const wanted: Wanted[] = [];
  for (const { schedule, run } of all) {
    // one that cannot be submitted holds up no other
    for (const [index, at] of run.entries()) {
      const made = await prepare(context, schedule, at, index > 0, admit).catch((error: unknown) =>
        refusal(schedule, at, error),
      );
      if ('outcome' in made) noted.push(made);
      else wanted.push(made);
    }
  }
  const settled = (await submitMany(context, wanted)).values();
  const postponed = new Set<Found>();
  for (const { schedule, at } of wanted) {
    const one = settled.next().value;
    if (one?.status !== 'fulfilled') {
      noted.push(refusal(schedule, at, one?.reason));
      continue;
    }
    const job = one.value.job.id;
    noted.push({ schedule, at, outcome: 'submitted', job, reason: null });
    const before = [...had.of(schedule), ...(isUnfinished(schedule) ? [schedule.lastJob] : [])];
    // once the next one is there: where it is refused, the one before runs on
    if (schedule.overlap === 'replace' && !(await cancelReplaced(context, schedule.name, job, before)))
      postponed.add(schedule);
  }
  const due = all.filter(({ schedule }) => !postponed.has(schedule));
  const known = noted.filter(({ schedule }) => !postponed.has(schedule));
  await note(context, due, known.map(had.noted));
}

function passedOver(schedule: Found, missed: readonly Date[], beyond: Date | null): Noted[] {
  const late = missed.map((at) => ({ schedule, at, outcome: 'missed' as const, job: null, reason: null }));
  if (!beyond) return late;
  const reason = 'This and every later one up to the bound of its policy.';
  return [{ schedule, at: beyond, outcome: 'missed', job: null, reason }, ...late];
}

/** The submission of a run, or what became of it instead. @throws AppError where it cannot be submitted */
async function prepare(
  context: Context,
  schedule: Found,
  at: Date,
  isLater: boolean,
  admit: Admit,
): Promise<Wanted | Noted> {
  const { owner, keyId, overlap, lastCounts, tier } = schedule;
  if (overlap === 'skip' && (isLater || isUnfinished(schedule)))
    return { schedule, at, outcome: 'skipped', job: null, reason: 'The run before had not ended.' };
  const queue = await registryOf(context).find(schedule.queue, schedule.version ?? undefined);
  if (!queue || registryOf(context).ownerOf(schedule.queue) !== owner)
    throw new AppError('not_found', `expected a queue of yours, got ${schedule.queue}, which is not there.`);
  const submission = submissionOf(schedule, at);
  const replaces = overlap === 'replace' && isUnfinished(schedule) && lastCounts;
  await admit({ owner, keyId, ...(tier !== null && { tier }) }, schedule.queue, submission.group, { replaces });
  return { schedule, at, queue, submission };
}

function isUnfinished(schedule: Found): schedule is Found & { readonly lastJob: string } {
  const { lastJob, lastState } = schedule;
  return lastJob !== null && lastState !== null && !isTerminal(lastState);
}

function refusal(schedule: Found, at: Date, error: unknown): Noted {
  const { message } = describeError(error);
  const stays = schedule.overlap === 'replace' && isUnfinished(schedule) ? ' The run before goes on.' : '';
  return { schedule, at, outcome: 'refused', job: null, reason: message.slice(0, 900) + stays };
}

/** Writes what became of the times, and when each schedule is due next, in one statement. */
async function note(
  context: Context,
  due: readonly (Pick<Due, 'next'> & { readonly schedule: Found })[],
  noted: readonly Noted[],
): Promise<void> {
  if (due.length === 0) return;
  const refused = noted.filter(({ outcome }) => outcome === 'refused');
  for (const { schedule, reason } of refused)
    await logFailure(
      context,
      new Error(reason ?? 'refused'),
      { schedule: schedule.name },
      'a run of a schedule was refused',
    );
  const made = noted.flatMap(({ schedule, at, job }) => (job === null ? [] : [{ schedule, at, job }]));
  const newest = new Map(
    made.toSorted((a, b) => a.at.getTime() - b.at.getTime()).map(({ schedule, job }) => [schedule, job]),
  );
  // before what makes this look over: a process that ends in between is followed by one that does both
  await keepWebhooks(
    context,
    made.flatMap(({ schedule: { receiver }, job }) => (receiver === null ? [] : [{ job, endpoint: receiver }])),
  );
  await context.db.query(sql.unsafe`
    with given as (
      select * from unnest(${textArray(due.map(({ schedule }) => schedule.owner))}::text[],
        ${textArray(due.map(({ schedule }) => schedule.name))}::text[],
        ${textArray(due.map(({ schedule }) => isoOf(schedule.nextAt)))}::timestamptz[],
        ${textArray(due.map(({ next }) => isoOf(next)))}::timestamptz[],
        ${textArray(due.map(({ schedule }) => newest.get(schedule) ?? null))}::uuid[]) as g (owner, name, was, next, job)
    ), told as (
      select * from unnest(${textArray(noted.map(({ schedule }) => schedule.owner))}::text[],
        ${textArray(noted.map(({ schedule }) => schedule.name))}::text[],
        ${textArray(noted.map(({ at }) => at.toISOString()))}::timestamptz[],
        ${textArray(noted.map(({ outcome }) => outcome))}::text[], ${textArray(noted.map(({ job }) => job))}::uuid[],
        ${textArray(noted.map(({ reason }) => reason))}::text[]) as t (owner, schedule, at, outcome, job, reason)
    ), kept as (
      -- a schedule that was changed or removed meanwhile has its own next time
      update schedules s set next_at = g.next, last_at = greatest(s.last_at, g.was), last_job = coalesce(g.job, s.last_job)
      from given g where s.owner = g.owner and s.name = g.name and s.next_at = g.was
    )
    insert into schedule_runs (owner, schedule, at, outcome, job, reason)
    select t.* from told t join schedules s on s.owner = t.owner and s.name = t.schedule
    on conflict do nothing`);
}

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null;
