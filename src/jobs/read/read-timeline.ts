import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DependencyPolicy } from '#src/jobs/model/dependencies.ts';
import { type Job, JobError, JobSummary, jobSummaryColumns } from '#src/jobs/model/job.ts';
import type { JobParent } from '#src/jobs/model/job-parent.ts';
import { waitKinds } from '#src/jobs/model/states.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { readParent, stepOfChild } from './read-parent.ts';

const isError = Compile(JobError);

const MOST_EVENTS = 1_000;
const MOST_CHILDREN = 100;
const MOST_STEPS = 1_000;

const Event = Type.Object({
  n: Type.Integer(),
  type: Type.String(),
  at: Type.Unsafe<Date>({}),
  data: Type.Unsafe<Readonly<Record<string, unknown>>>({}),
});
type Event = Static<typeof Event>;

const Effect = Type.Object({
  effect: Type.String(),
  state: Type.Unsafe<'intended' | 'done' | 'failed' | 'unknown'>({ enum: ['intended', 'done', 'failed', 'unknown'] }),
  attempt: Type.Integer(),
  externalId: Type.Union([Type.String(), Type.Null()]),
  intendedAt: Type.Unsafe<Date>({}),
  decidedAt: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
});

export const stepKinds = ['step', 'child', ...waitKinds] as const;

const Step = Type.Object({
  name: Type.String(),
  kind: Type.Unsafe<(typeof stepKinds)[number]>({ enum: [...stepKinds] }),
  child: Type.Union([Type.String(), Type.Null()]),
  since: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
  until: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
  at: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
});

const Signal = Type.Object({
  name: Type.String(),
  at: Type.Unsafe<Date>({}),
  takenAt: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
});

const Dependency = Type.Object({
  job: Type.String(),
  state: Type.Union([Type.Unsafe<'succeeded' | 'failed' | 'cancelled'>({}), Type.Null()]),
  onFailure: Type.Unsafe<DependencyPolicy>({}),
});

const Child = Type.Interface([JobSummary], {
  node: Type.Union([Type.String(), Type.Null()]),
  item: Type.Union([Type.Integer(), Type.Null()]),
  step: Type.Union([Type.String(), Type.Null()]),
});

/** A job that another one submitted, and its place there. */
export type ChildJob = Static<typeof Child>;

/**
 * Outcomes of an attempt; `released` is without counting against the job: a drain, a lost worker. `suspended`: the job
 * began to wait.
 */
export const attemptOutcomes = ['running', 'succeeded', 'failed', 'released', 'suspended', 'cancelled'] as const;

export interface Attempt {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Names the lease it ran under; null where the ledger does not say. */
  readonly worker: string | null;
  readonly outcome: (typeof attemptOutcomes)[number];
  readonly error: Static<typeof JobError> | null;
}

export interface Timeline {
  /** The newest {@link MOST_EVENTS}, the oldest of them first. A result is the job's, and not here. */
  readonly events: readonly Event[];
  /** Attempts that these events are about. */
  readonly attempts: readonly Attempt[];
  /**
   * The newest {@link MOST_STEPS} steps that it kept, the oldest of them first, and behind them what it waits for now: the
   * one without `at`.
   */
  readonly steps: readonly Static<typeof Step>[];
  /** The newest {@link MOST_STEPS} signals that it got, the oldest of them first. */
  readonly signals: readonly Static<typeof Signal>[];
  /** Effects that it had outside. */
  readonly effects: readonly Static<typeof Effect>[];
  /** Jobs that it was submitted to wait for, and how each has ended; null: it has not. */
  readonly dependsOn: readonly Static<typeof Dependency>[];
  /** The first {@link MOST_CHILDREN} jobs that it submitted, the oldest first. */
  readonly children: readonly ChildJob[];
  /** The job that submitted it; null for none. */
  readonly parent: JobParent | null;
}

/** Reads the history of a job, as the ledger has it. */
export async function readTimeline({ db }: Pick<Context, 'db'>, { id }: Pick<Job, 'id'>): Promise<Timeline> {
  const [newest, steps, waits, signals, effects, children, dependsOn, parent] = await Promise.all([
    db.any(sql.type(row(Event))`
      select n, type, at, data from events where job = ${id} order by n desc limit ${MOST_EVENTS}`),
    db.any(sql.type(row(Step))`
      select s.name, s.kind, case when s.kind = 'child' then s.value->>'job' end as child, s.since, null as until, s.at
      from steps s where s.job = ${id} order by s.n desc limit ${MOST_STEPS}`),
    db.any(sql.type(row(Step))`
      select name, kind, child, at as since, wake_at as until, null as at from waits
      where job = ${id} and kind in ('sleep', 'signal', 'result')`),
    db.any(sql.type(row(Signal))`
      select name, at, taken_at as "takenAt" from signals where job = ${id} order by id desc limit ${MOST_STEPS}`),
    db.any(sql.type(row(Effect))`
      select effect, state, attempt, external_id as "externalId", intended_at as "intendedAt", decided_at as "decidedAt"
      from effects where job = ${id} order by intended_at, effect`),
    db.any(sql.type(row(Child))`
      select ${jobSummaryColumns}, j.flow_node as node, j.flow_item as item,
        case when j.flow_node is null then ${stepOfChild} end as step
      from jobs j where j.parent_id = ${id} order by j.id limit ${MOST_CHILDREN}`),
    db.any(sql.type(row(Dependency))`
      select on_job as job, state, on_failure as "onFailure" from dependencies where job = ${id} order by on_job`),
    readParent({ db }, id),
  ]);
  const events = newest.toReversed();
  return {
    events,
    attempts: attemptsOf(events),
    steps: [...steps.toReversed(), ...waits],
    signals: signals.toReversed(),
    effects,
    dependsOn,
    children,
    parent,
  };
}

/** Outcome of the attempt that was under way, by the type of the event that ended it. */
const endings: Readonly<Record<string, Attempt['outcome']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  retrying: 'failed',
  released: 'released',
  waiting: 'suspended',
  cancelled: 'cancelled',
};

/** The attempts in a job's events, which are in order. */
export function attemptsOf(events: readonly Event[]): Attempt[] {
  const attempts: Attempt[] = [];
  for (const { type, at, data } of events) {
    if (type === 'started') {
      const { attempt, worker } = data;
      attempts.push({
        attempt: Number(attempt),
        startedAt: at,
        endedAt: null,
        worker: typeof worker === 'string' ? worker : null,
        outcome: 'running',
        error: null,
      });
      continue;
    }
    const outcome = endings[type];
    const last = attempts.at(-1);
    // released from being held, failed or cancelled while it waited: no attempt was under way
    if (!outcome || !last || last.outcome !== 'running') continue;
    attempts[attempts.length - 1] = { ...last, endedAt: at, outcome, error: errorIn(data) };
  }
  return attempts;
}

function errorIn({ error }: Event['data']): Attempt['error'] {
  return isError.Check(error) ? error : null;
}
