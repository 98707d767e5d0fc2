import { randomUUID } from 'node:crypto';
import { terminalStates } from '#src/jobs/model/states.ts';
import { MOST_SIGNAL_BYTES, MOST_SIGNALS } from '#src/jobs/model/step-bounds.ts';
import { wakeNow } from '#src/jobs/wake/wake.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { checkName, isJobId } from './fence.ts';

export interface Signal {
  /** The name of the wait that is to take it. */
  readonly name: string;
  /** JSON; undefined is kept as null. */
  readonly payload: unknown;
  /** The same job, name and key gives the same signal: it can be sent again safely. */
  readonly key?: string;
}

interface Written {
  readonly job: string;
  readonly name: string;
  readonly key: string;
  readonly payload: string;
}

type Outcome = 'accepted' | 'known' | 'ended' | 'over' | 'many';
type Row = readonly [place: number, outcome: Outcome, state: string];
type Answer = { readonly outcome: Outcome; readonly state: string; readonly isSame: boolean } | null;

/** Ids are drawn under the lock of the job's row, so they are in the order in which its signals came. */
export const signalJobs: Statement = {
  name: 'signal-jobs',
  text: `
    with given as materialized (
      select * from unnest($1::int4[], $2::uuid[], $3::text[], $4::text[], $5::text[]) as g (place, job, name, key, payload)
    ), targets as materialized (
      select distinct job from given order by job
    ), locked as materialized (
      select l.* from targets t cross join lateral (
        select j.id, j.state, j.signals from jobs j where j.id = t.job for update
      ) l
    ), mine as materialized (
      select g.*, l.state, l.signals, l.state = any('{${terminalStates.join()}}'::text[]) as has_ended,
        k.job is not null as is_known, o.job is not null as is_over,
        row_number() over (partition by g.job, g.name, g.key order by g.place) = 1 as is_first
      from given g join locked l on l.id = g.job
      -- one look-up a row: see the steps
      left join lateral (
        select s.job from signals s where s.job = g.job and s.name = g.name and s.key = g.key limit 1
      ) k on true
      -- a job waits once under a name, and its steps stay with it: no wait can take another signal
      left join lateral (
        select s.job from steps s where s.job = g.job and s.name = g.name and s.kind = 'signal' limit 1
      ) o on true
    ), fresh as materialized (
      select *, signals + row_number() over (partition by job order by place) as n
      from mine where is_first and not is_known and not has_ended and not is_over
    ), kept as (
      insert into signals (job, name, key, payload)
      select job, name, key, payload::jsonb from fresh where n <= ${MOST_SIGNALS} order by job, place
      on conflict (job, name, key) do nothing
      returning job, name, key, id
    ), changed as (
      update jobs j set signals = j.signals + k.count, events = j.events + k.count
      from (select job, count(*)::int as count from kept group by job) k where j.id = k.job
      returning j.id, j.state, j.events - k.count as events
    ), told as (
      insert into events (job, n, type, data)
      select k.job, c.events + row_number() over (partition by k.job order by k.id), 'signalled', jsonb_build_object('name', k.name)
      from kept k join changed c on c.id = k.job
    ), noted as (
      insert into wakes (job) select id from changed where state = 'waiting'
    )
    select m.place, case when m.is_first and k.key is not null then 'accepted' when m.is_known or k.key is not null then 'known'
      when m.has_ended then 'ended' when m.is_over then 'over' when f.n > ${MOST_SIGNALS} then 'many' else 'known' end, m.state
    from mine m left join kept k on k.job = m.job and k.name = m.name and k.key = m.key
    left join fresh f on f.job = m.job and f.name = m.name and f.key = m.key`,
};

/** Places of the signals that are there as they are sent now. */
const findSame: Statement = {
  name: 'find-same-signals',
  text: `
    select g.place from unnest($1::int4[], $2::uuid[], $3::text[], $4::text[], $5::text[]) as g (place, job, name, key, payload)
    join signals s on s.job = g.job and s.name = g.name and s.key = g.key and s.payload = g.payload::jsonb`,
};

const signalling = perContext((context: Context) =>
  batched<Written, Answer>(context, {
    patienceMs: 3_000,
    weigh: ({ payload }) => payload.length,
    refuse: ({ job, name }, cause) =>
      new AppError(
        'invalid_payload',
        `The payload of the signal ${name} holds a value that cannot be stored: expected text without \\u0000 and lone surrogates, and nesting below 1,000 levels.`,
        { job, path: '/payload' },
        cause,
      ),
    run: async (signals, again) => {
      const send = openStatements(context);
      const rows = await send<Row>(signalJobs, valuesOf(signals.map((signal, place) => ({ ...signal, place }))));
      const known = rows.flatMap(([place, outcome]) => (outcome === 'known' ? [{ ...signals[place]!, place }] : []));
      const same = new Set(
        known.length === 0 ? [] : (await send<readonly [number]>(findSame, valuesOf(known))).map(([place]) => place),
      );
      const answers = new Map(
        rows.map(([place, outcome, state]): readonly [number, Answer] => {
          // an earlier try of this very batch got through: every key of it is one of this call
          const isOurs = again && outcome === 'known' && same.has(place);
          return [place, { outcome: isOurs ? 'accepted' : outcome, state, isSame: same.has(place) }];
        }),
      );
      return signals.map((_, place) => answers.get(place) ?? null);
    },
  }),
);

const valuesOf = (signals: readonly (Written & { readonly place: number })[]) => [
  plainArray(signals.map(({ place }) => place)),
  plainArray(signals.map(({ job }) => job)),
  textArray(signals.map(({ name }) => name)),
  textArray(signals.map(({ key }) => key)),
  textArray(signals.map(({ payload }) => payload)),
];

/**
 * Keeps a signal for a job that has not ended, and wakes the job where it waits for one of this name. A signal may come
 * before the wait. Each is taken by one wait, in the order in which they came. The caller has checked that the sender may
 * signal this job.
 *
 * @returns whether it was kept now: false where the job had this one already
 * @throws AppError `not_found`; `state_conflict` for a job that has ended, or whose wait of this name is over;
 *   `idempotency_conflict` for another payload under the same key; `too_many_signals`, `payload_too_large`,
 *   `invalid_payload`; `invalid_request` for a name that cannot be; `unavailable` while Postgres is away.
 */
export async function signalJob(
  context: Context,
  job: string,
  { name, payload, key }: Signal,
): Promise<{ readonly accepted: boolean }> {
  checkName('signal', name);
  const answer = isJobId(job)
    ? await signalling(context)({ job, name, key: key ?? ` ${randomUUID()}`, payload: write(job, name, payload) })
    : null;
  if (answer === null) throw new AppError('not_found', `No job has the id ${job}.`, { job });
  const { outcome, state, isSame } = answer;
  if (outcome === 'ended')
    throw new AppError('state_conflict', `Expected a job that has not ended, got one that is ${state}.`, {
      job,
      state,
    });
  if (outcome === 'over')
    throw new AppError(
      'state_conflict',
      `expected a wait for the signal ${name} that is open or still to come, got a job whose wait of that name is over: no other can take it.`,
      { job, state, signal: name },
    );
  if (outcome === 'many')
    throw new AppError(
      'too_many_signals',
      `The job has got ${MOST_SIGNALS} signals, the most that one job takes: start another job for more.`,
      { job, limit: MOST_SIGNALS },
    );
  if (outcome === 'known' && !isSame)
    throw idempotencyConflict(key, { kind: 'signal', id: name, of: `of the job ${job}` });
  if (outcome === 'accepted' && state === 'waiting') await wakeNow(context, job);
  return { accepted: outcome === 'accepted' };
}

function write(job: string, name: string, payload: unknown): string {
  const text = JSON.stringify(payload ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MOST_SIGNAL_BYTES) return text;
  throw new AppError(
    'payload_too_large',
    `The payload of the signal ${name} has ${bytes} bytes as JSON, expected at most ${MOST_SIGNAL_BYTES}: send the place where it is kept.`,
    { job, bytes, limit: MOST_SIGNAL_BYTES },
  );
}
