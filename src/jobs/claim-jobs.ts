import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { batched } from './batched.ts';

interface Claim {
  readonly id: string;
  readonly dispatch: number;
  /** Made by the claimer: a repeated claim after a lost answer finds its own. */
  readonly token: string;
}

const Claimed = Type.Object({
  id: Type.String(),
  /** The token of the delivery that won: a batch may hold two deliveries of one job. */
  token: Type.String(),
  owner: Type.String(),
  queue: Type.String(),
  /** The fence: whoever settles must name it. */
  attempt: Type.Integer(),
  failures: Type.Integer(),
  payload: Type.Unsafe<unknown>({}),
  trace: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.Unsafe<Date>({}),
  runAt: Type.Unsafe<Date>({}),
  startedAt: Type.Unsafe<Date>({}),
});

/** A job that this process may run now, and its payload. */
export type Claimed = Static<typeof Claimed>;

const claimedRow = row(Claimed);
const columns = sql.fragment`id, claim_token as token, owner, queue, attempt, failures, payload, trace,
  created_at as "createdAt", run_at as "runAt", started_at as "startedAt"`;

/**
 * Claims for one worker process: answers the job, or null where the delivery does not fit its row (a double, a late one,
 * a cancelled job, or a worker that is no longer alive). `suspects` says which kind this process takes.
 */
export function openClaims(
  context: Context,
  worker: () => string,
  suspects: boolean,
): (claim: Claim) => Promise<Claimed | null> {
  return batched<Claim, Claimed | null>(context, {
    patienceMs: 3_000,
    refuse: ({ id }, cause) => new AppError('internal', `The job ${id} could not be claimed.`, {}, cause),
    run: async (claims, again) => {
      const ids = sql.array([...new Set(claims.map(({ id }) => id))], 'uuid');
      const dispatches = sql.array(
        claims.map(({ dispatch }) => dispatch),
        'int4',
      );
      const tokens = sql.array(
        claims.map(({ token }) => token),
        'uuid',
      );
      const given = sql.array(
        claims.map(({ id }) => id),
        'uuid',
      );
      const found = await context.db.any(sql.type(claimedRow)`
        with given as materialized (
          select g.*, 'queued' as state, ${suspects}::bool as suspect
          from unnest(${given}, ${dispatches}, ${tokens}) as g (id, dispatch, token)
        ), locked as materialized (
          -- in id order, else overlapping batches deadlock
          select id, state, suspect, dispatch from jobs where id = any(${ids}) order by id for update
        ), fit as materialized (
          -- materialized, the wanted state as a column: with a constant the planner expects one row, and would compare
          -- each given row with each locked one (at 256 rows three times the cost of the whole statement)
          select id, token from locked join given using (id, state, suspect, dispatch)
        ), claimed as (
          update jobs j
          set state = 'running', attempt = j.attempt + 1, events = j.events + 1, worker_id = ${worker()}, claim_token = f.token, started_at = now()
          from fit f
          where j.id = f.id and exists (select from workers where id = ${worker()})
          returning j.*
        ), told as (
          insert into events (job, n, type, data)
          select id, events, 'started', jsonb_build_object('attempt', attempt) from claimed
        )
        select ${columns} from claimed
        union all
        select ${columns} from jobs
        where ${again} and state = 'running' and claim_token = any(${tokens}) and id = any(${ids})`);
      // by token, not by id: only one of two deliveries of a job has claimed it
      const byToken = new Map(found.map((job) => [job.token, job]));
      return claims.map(({ token }) => byToken.get(token) ?? null);
    },
  });
}
