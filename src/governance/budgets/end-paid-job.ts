import type { Settled } from '#src/jobs/run/settle-jobs.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import { perContext } from '#src/system/per-context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { MOST_SETTLED, notePaid, numberOfCall, type PaidCall, settlingCalls } from './settle-calls.ts';

/** A job that has succeeded, and the last call that it made. */
export interface PaidEnd {
  readonly job: string;
  /** Fence of its claim. */
  readonly attempt: number;
  readonly token: string;
  /** JSON. */
  readonly result: string;
  /** Name of the effect by which it called, and what came of it as JSON. */
  readonly effect: string;
  readonly outcome: string;
  readonly provider: string;
  /** Cost of the call in millionths of a dollar. */
  readonly cost: number;
}

type Row = readonly [
  place: number,
  settled: (Omit<Settled, 'runAt' | 'queuedAt'> & { readonly runAt: string; readonly queuedAt: string }) | null,
  call: PaidCall['call'] | null,
  n: number | null,
  at: Date | null,
  epoch: string | null,
];

/**
 * In one statement, so that all jobs of a moment cost one commit: the outcome of the effect and the cost of the call,
 * which hold under any attempt, and the end of the job with its event, where its fence still holds. Locks jobs
 * first, in order of their ids, then as `settlingCalls` does.
 */
const endPaidJobs: Statement = {
  name: 'end-paid-jobs',
  text: `
    with given as materialized (
      select *, 'running' as was, null::text as external_id
      from unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int8[])
        with ordinality as g (job, attempt, token, result, effect, outcome, provider, cost, place)
      order by job
    ), fit as materialized (
      select g.* from given g cross join lateral (
        select from jobs j where j.id = g.job and j.attempt = g.attempt and j.claim_token = g.token
          and j.state is not distinct from g.was
        for update
      ) locked
    ), paid as materialized (
      select job, provider, cost, external_id, place from given where (select count(*) from fit) >= 0
    ), ${settlingCalls('paid')}, decided as (
      update effects e set state = 'done', external_id = null, outcome = g.outcome::jsonb, cost = null, decided_at = now()
      from given g where e.job = g.job and e.effect = g.effect and e.state <> 'done'
    ), settled as (
      update jobs j
      set state = 'succeeded', events = j.events + 1, worker_id = null, result = g.result::jsonb, result_content = null,
        error = null, finished_at = now()
      from fit g where j.id = g.job
      returning g.place, j.id, j.events, json_build_object('dispatch', j.dispatch, 'priority', j.priority,
        'suspect', j.suspect, 'runAt', j.run_at, 'queuedAt', j.queued_at, 'feed', j.feed, 'awaited', j.awaited,
        'parentId', case when j.flow_node is null then j.parent_id end) as settled
    ), told as (
      insert into events (job, n, type, data) select id, events, 'succeeded', '{}' from settled
    )
    select g.place::int4, s.settled, to_json(c), ${numberOfCall}, (select epoch from relay)
    from given g left join settled s using (place) left join call c using (place)`,
};

/**
 * Ends jobs with the calls that they made, those of one moment together. Answers null where the fence no longer holds:
 * then the outcome and the cost are written, and the end of the job is another's, or was written by an earlier try.
 */
export const endPaid = perContext((context) =>
  batched<PaidEnd, Settled | null>(context, {
    // as long as the end of any job is tried
    patienceMs: context.config.LEASE_MS * 4,
    size: MOST_SETTLED,
    width: 1,
    weigh: ({ result, outcome }) => result.length + outcome.length,
    refuse: ({ job }, cause) =>
      new AppError(
        'invalid_result',
        'The result holds a value that cannot be stored: expected text without \\u0000 and lone surrogates, and nesting below 1,000 levels.',
        { job },
        cause,
      ),
    run: async (ends) => {
      const rows = await openStatements(context)<Row>(endPaidJobs, [
        plainArray(ends.map(({ job }) => job)),
        plainArray(ends.map(({ attempt }) => attempt)),
        plainArray(ends.map(({ token }) => token)),
        textArray(ends.map(({ result }) => result)),
        textArray(ends.map(({ effect }) => effect)),
        textArray(ends.map(({ outcome }) => outcome)),
        textArray(ends.map(({ provider }) => provider)),
        plainArray(ends.map(({ cost }) => cost)),
      ]);
      const answers = ends.map((): Settled | null => null);
      const paid = rows.flatMap(([place, settled, call, n, at]): PaidCall[] => {
        if (settled)
          answers[place - 1] = { ...settled, runAt: new Date(settled.runAt), queuedAt: new Date(settled.queuedAt) };
        const { job, provider, cost } = ends[place - 1]!;
        return call ? [{ job, provider, cost, call, n, at }] : [];
      });
      notePaid(context, paid, rows[0]?.[5] ?? null);
      return answers;
    },
  }),
);
