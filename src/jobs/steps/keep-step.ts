import { MOST_JOB_BYTES, MOST_STEP_BYTES, MOST_STEPS } from '#src/jobs/model/step-bounds.ts';
import { openProgress } from '#src/jobs/run/progress.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { isUniqueViolation } from '#src/system/postgres/postgres-errors.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { canHold, checkName, checkPlace, type Fence, type Stale, stale } from './fence.ts';

/** A step that ended. Those that end a wait are kept by the wake. */
export interface NewStep {
  /** Its name, once in a job. */
  readonly name: string;
  readonly kind: 'step' | 'child';
  /** Number of steps that had ended when it began. */
  readonly after: number;
  /** JSON; undefined is kept as null. */
  readonly value: unknown;
}

export type KeptStep = { readonly status: 'kept'; readonly value: unknown } | Stale;

interface Written extends Fence, Omit<NewStep, 'value'> {
  readonly text: string;
  readonly bytes: number;
}

/** Outcome of one step of a batch: kept now, there already, or beyond a bound of the job. */
type Outcome = 'kept' | 'there' | 'many' | 'large';
type OutcomeRow = readonly [place: number, outcome: Outcome];
type ValueRow = readonly [place: number, value: unknown, kind: string];
type Answer =
  | { readonly outcome: 'many' | 'large' }
  | { readonly outcome: 'other'; readonly kind: string }
  | { readonly outcome: 'kept'; readonly value?: unknown }
  | Stale;

/**
 * Numbers and sums go on from the job's row, which is read under its lock: rows of steps that another batch commits
 * meanwhile are not visible to this statement. Locked in the order given, which is that of the ids, row by row: see the
 * claim. Kept short: most batches are one step, and each part of a plan costs it some microseconds to begin and to end.
 */
export const keepSteps: Statement = {
  name: 'keep-steps',
  text: `
    with given as materialized (
      select *, 'running' as was
      from unnest($1::int4[], $2::uuid[], $3::int4[], $4::uuid[], $5::text[], $6::text[], $7::int4[], $8::text[], $9::int4[])
        as g (place, job, attempt, token, name, kind, after, value, bytes)
    ), held as materialized (
      select g.*, locked.steps, locked.step_bytes, k.job is not null as is_there
      from given g
      cross join lateral (
        select j.steps, j.step_bytes from jobs j
        where j.id = g.job and j.attempt = g.attempt and j.claim_token = g.token and j.state is not distinct from g.was
        for update
      ) locked
      -- with a limit, which leaves the planner no way but one look-up a row; of an exists clause it would hash the whole table
      left join lateral (select s.job from steps s where s.job = g.job and s.name = g.name limit 1) k on true
    ), fresh as materialized (
      select *, steps + row_number() over w as n, step_bytes + sum(bytes) over w as total
      from held where not is_there window w as (partition by job order by place)
    ), kept as (
      insert into steps (job, name, n, kind, after, value, bytes)
      select job, name, n, kind, after, value::jsonb, bytes from fresh
      where n <= ${MOST_STEPS} and total <= ${MOST_JOB_BYTES}
      on conflict (job, name) do nothing
      returning job, name, n, bytes
    ), counted as (
      update jobs j set steps = k.n, step_bytes = j.step_bytes + k.bytes
      from (select job, max(n) as n, sum(bytes) as bytes from kept group by job) k where j.id = k.job
    )
    select h.place, case when k.name is not null then 'kept' when f.n > ${MOST_STEPS} then 'many'
      when f.total > ${MOST_JOB_BYTES} then 'large' else 'there' end
    from held h left join fresh f on f.place = h.place left join kept k on k.job = h.job and k.name = h.name`,
};

/**
 * The same for one step that is new and within the bounds of its job, as almost every batch is: of the long statement
 * alone beginning and ending its plan took a third of a step's time in Postgres. Answers no row where it is not so.
 */
export const keepOneStep: Statement = {
  name: 'keep-one-step',
  text: `
    with counted as (
      update jobs j set steps = j.steps + 1, step_bytes = j.step_bytes + $8::int4
      where j.id = $1::uuid and j.attempt = $2::int4 and j.claim_token = $3::uuid and j.state = $9::text
        and j.steps < ${MOST_STEPS} and j.step_bytes + $8::int4 <= ${MOST_JOB_BYTES}
        and not exists (select from steps s where s.job = $1::uuid and s.name = $4::text)
      returning j.steps
    )
    insert into steps (job, name, kind, after, value, bytes, n)
    select $1::uuid, $4::text, $5::text, $6::int4, $7::jsonb, $8::int4, steps from counted returning n`,
};

/** Reads the values of steps that were there, in a second statement: a racing one is not visible to the first. */
const readKept: Statement = {
  name: 'read-kept-steps',
  text: `
    select g.place, s.value, s.kind from unnest($1::int4[], $2::uuid[], $3::text[]) as g (place, job, name)
    join steps s on s.job = g.job and s.name = g.name`,
};

const keeping = perContext((context: Context) =>
  batched<Written, Answer>(context, {
    // a few leases: by then others run the job, and the step would be late
    patienceMs: context.config.LEASE_MS * 4,
    weigh: ({ text }) => text.length,
    refuse: ({ job, name }, cause) =>
      new AppError(
        'invalid_result',
        `The value of the step ${name} cannot be stored: expected text without \\u0000 and lone surrogates, and nesting below 1,000 levels.`,
        { job, step: name },
        cause,
      ),
    run: async (steps) => {
      const firsts = firstsOf(steps);
      const own = new Map(await keep(context, steps, [...new Set(firsts)]));
      const outcomes = new Map<number, Outcome>();
      for (const [place, first] of firsts.entries()) {
        const outcome = own.get(first);
        if (outcome) outcomes.set(place, place !== first && outcome === 'kept' ? 'there' : outcome);
      }
      const there = steps.flatMap((step, place) => (outcomes.get(place) === 'there' ? [{ ...step, place }] : []));
      const found = there.length > 0 ? await valuesOf(context, there) : [];
      const values = new Map(found.map(([place, value, kind]) => [place, { value, kind }]));
      return steps.map((step, place): Answer => {
        const outcome = outcomes.get(place);
        if (outcome === undefined) return stale;
        if (outcome !== 'there') return { outcome };
        const { value, kind = step.kind } = values.get(place) ?? {};
        return kind === step.kind ? { outcome: 'kept', value } : { outcome: 'other', kind };
      });
    },
  }),
);

/** The place of the first step of each one's name, in its job and its attempt. */
function firstsOf(steps: readonly Written[]): readonly number[] {
  const firsts = new Map<string, number>();
  return steps.map(({ job, token, attempt, name }, place) => {
    const key = `${job} ${token} ${attempt} ${name}`;
    const first = firsts.get(key) ?? place;
    firsts.set(key, first);
    return first;
  });
}

/** Keeps the steps at these places, of which no two of one attempt have the same name. */
async function keep(context: Context, all: readonly Written[], places: readonly number[]): Promise<OutcomeRow[]> {
  const [first = 0, ...others] = places;
  if (others.length === 0 && (await keepOne(context, all[first]!))) return [[first, 'kept']];
  const steps = places
    .map((place) => ({ ...all[place]!, place }))
    .toSorted((a, b) => (a.job === b.job ? a.place - b.place : a.job < b.job ? -1 : 1));
  return await openStatements(context)<OutcomeRow>(keepSteps, [
    plainArray(steps.map(({ place }) => place)),
    plainArray(steps.map(({ job }) => job)),
    plainArray(steps.map(({ attempt }) => attempt)),
    plainArray(steps.map(({ token }) => token)),
    textArray(steps.map(({ name }) => name)),
    plainArray(steps.map(({ kind }) => kind)),
    plainArray(steps.map(({ after }) => after)),
    textArray(steps.map(({ text }) => text)),
    plainArray(steps.map(({ bytes }) => bytes)),
  ]);
}

/** Answers whether the step is kept now; if not, the statement for many tells why. */
async function keepOne(context: Context, step: Written): Promise<boolean> {
  const { job, attempt, token, name, kind, after, text, bytes } = step;
  const values = [job, attempt, token, name, kind, after, text, bytes, 'running'];
  try {
    return (await openStatements(context)(keepOneStep, values)).length > 0;
  } catch (error) {
    // a step of its name was committed while this one waited for the row of the job
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

async function valuesOf(context: Context, steps: readonly (Written & { readonly place: number })[]) {
  return await openStatements(context)<ValueRow>(readKept, [
    plainArray(steps.map(({ place }) => place)),
    plainArray(steps.map(({ job }) => job)),
    textArray(steps.map(({ name }) => name)),
  ]);
}

/**
 * Keeps a step of a running job, once: a name that is there answers the value that was kept first, whatever the value is
 * now. Batched with whatever else is kept at the moment. Subscribers of the job see it as progress of the key `step`.
 *
 * @returns the value that counts, or `stale` where the fence no longer holds
 * @throws AppError `step_too_large`, `too_many_steps`, `invalid_result` for a value that cannot be stored, `state_conflict`
 *   where another kind of step has the name, `invalid_request` for a name or a place that cannot be, `unavailable` while Postgres is away.
 */
export async function keepStep(context: Context, fence: Fence, step: NewStep): Promise<KeptStep> {
  const { name, kind, after, value } = step;
  checkName('step', name);
  checkPlace(after);
  if (!canHold(fence)) return stale;
  const { job, attempt, token } = fence;
  const text = write(fence, step);
  const answer = await keeping(context)({
    job,
    attempt,
    token,
    name,
    kind,
    after,
    text,
    bytes: Buffer.byteLength(text),
  });
  if ('status' in answer) return answer;
  if (answer.outcome === 'other') throw misnamed(fence.job, name, kind, answer.kind);
  if (answer.outcome !== 'kept') throw beyond(job, answer.outcome);
  if ('value' in answer) return { status: 'kept', value: answer.value };
  // once its caller has the answer, who waits for it: followers do not
  setImmediate(() => openProgress(context, job)('step', { name, kind }));
  return { status: 'kept', value: value ?? null };
}

function write({ job }: Fence, { name, value = null }: NewStep): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(value) as string | undefined;
  } catch (error) {
    cause = error;
  }
  if (text === undefined) {
    const message = `The value of the step ${name} cannot be written as JSON: give plain data.`;
    throw new AppError('invalid_result', message, { job, step: name }, cause);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= MOST_STEP_BYTES) return text;
  throw new AppError(
    'step_too_large',
    `The value of the step ${name} has ${bytes} bytes, expected at most ${MOST_STEP_BYTES}: keep it elsewhere, and its place in the step.`,
    { job, step: name, bytes, limit: MOST_STEP_BYTES },
  );
}

/** The error of a name that another kind of step has: one would answer the other's value. */
export function misnamed(job: string, name: string, kind: string, kept: string): AppError {
  const message = `expected a name of its own for each step, got ${kind} ${name}, whose name a ${kept} of the job has.`;
  return new AppError('state_conflict', message, { job, step: name });
}

/** The error of a job that has no room for one more step. */
export function beyond(job: string, bound: 'many' | 'large'): AppError {
  const [limit, what] = bound === 'many' ? [MOST_STEPS, 'steps'] : [MOST_JOB_BYTES, 'bytes in its steps'];
  const message = `The job has no room for another step: expected at most ${limit} ${what}. Go on in a child job.`;
  return new AppError('too_many_steps', message, { job, limit, of: bound === 'many' ? 'steps' : 'bytes' });
}
