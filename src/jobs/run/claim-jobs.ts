import type { ContentRef } from '#src/jobs/model/content-ref.ts';
import { plainArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';

export interface Claim {
  readonly id: string;
  readonly dispatch: number;
  /** Id of the worker that is to run it. */
  readonly worker: string;
  /** Made by the claimer: a repeated claim after a lost answer finds its own. */
  readonly token: string;
}

/** A job that a worker may run now, and its payload. */
export interface Claimed {
  readonly id: string;
  readonly owner: string;
  readonly queue: string;
  /** Version of the contract that it was accepted under. */
  readonly version: number;
  /** The fence: a settlement must name it. */
  readonly attempt: number;
  readonly failures: number;
  readonly payload: unknown;
  /** Reference of a payload that does not lie in the row; null once it has it. */
  readonly payloadContent: ContentRef | null;
  readonly trace: string | null;
  readonly createdAt: Date;
  readonly runAt: Date;
  readonly startedAt: Date;
  /** The worker it was claimed for, which may have lost its lease while the claim was under way. */
  readonly worker: string;
  /** Number of its newest step; 0 where it has none. */
  readonly steps: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const columns =
  'owner queue version attempt failures payload trace created_at run_at started_at steps payload_content'.split(' ');

type Row = readonly [
  /** Place in the batch of the delivery that won, from 1: a batch may hold two deliveries of one job. */
  place: number,
  owner: string,
  queue: string,
  version: number,
  attempt: number,
  failures: number,
  payload: unknown,
  trace: string | null,
  createdAt: Date,
  runAt: Date,
  startedAt: Date,
  steps: number,
  payloadContent: ContentRef | null,
];

/**
 * SQL: may this delivery `g` of a live worker claim its row `j`, but for rules? Where the clock of one that fed it was ahead, it comes before
 * its time; by less than clocks differ anyway, it may.
 */
const fits = `
  j.id between g.id and g.id and j.dispatch = g.dispatch and j.state is not distinct from g.state and j.suspect = $5::bool
  and not j.held and j.run_at <= now() + interval '250 ms' and (j.expires_at is null or j.expires_at > now())
  and j.queue <> all (array(select queue from queue_pauses))
  and g.worker = any (array(select w.id from workers w where w.id = any($4::uuid[])))`;

/*
 * Changed one by one in id order, else overlapping batches deadlock: the given rows are sorted, and the update looks up one
 * row of the table for each of them in turn, and locks it there. (Locking them in a pass before it cost an eighth of the
 * statement.) The planner is left no other way. Of a constant state it knows how many rows have it, and with none at that
 * moment it would walk them all for each given row ever after: so the wanted state is a column. By an equation it would
 * walk a small table in the order of its key: so the id is `between` itself. And an index that holds the state beside the id
 * looks as good as the key while rows are few: so the state is compared by `is not distinct from`, which no index serves.
 */
export const claimJobs: Statement = {
  name: 'claim-jobs',
  text: `
    with given as materialized (
      select *, 'queued' as state
      from unnest($1::uuid[], $2::int4[], $3::uuid[], $4::uuid[]) with ordinality as g (id, dispatch, token, worker, place)
      order by id
    ), allowed as materialized (
      -- null where no rule limits anything; what cannot be claimed anyway is to take no place, and nothing of a rate
      select case when exists (select from queue_rules r where r.limits) then allowed_claims(array(
        select fitting.id from given g cross join lateral (select j.id from jobs j where ${fits}) fitting
      )) end as ids
    ), claimed as (
      update jobs j
      set state = 'running', attempt = j.attempt + 1, events = j.events + 1, worker_id = g.worker, claim_token = g.token, started_at = now()
      from given g
      where ((select ids from allowed) is null or j.id = any((select ids from allowed)::uuid[])) and ${fits}
      returning g.place::int4 as place, ${columns.map((column) => `j.${column}`).join()}, j.id, j.worker_id, j.events
    ), told as (
      insert into events (job, n, type, data)
      select id, events, 'started', jsonb_build_object('attempt', attempt, 'worker', worker_id) from claimed
    )
    select place, ${columns.join()} from claimed`,
};

/** Finds the jobs that an earlier try of the same claims has claimed, whose answer was lost. */
export const findClaimed: Statement = {
  name: 'find-claimed-jobs',
  text: `
    with given as materialized (
      select *, 'running' as state from unnest($1::uuid[], $2::uuid[]) with ordinality as g (id, token, place)
    )
    select g.place::int4, ${columns.map((column) => `j.${column}`).join()}
    from given g join jobs j on j.id = g.id and j.claim_token = g.token and j.state is not distinct from g.state`,
};

/**
 * Claims for workers: answers the job, or null where the delivery does not fit its row (a double, a late one, a
 * cancelled or expired job, one of a paused queue, or a worker that is no longer alive). `suspects` says which kind is
 * claimed.
 */
export function openClaims(context: Context, suspects: boolean): (claim: Claim) => Promise<Claimed | null> {
  const claimBatched = batched<Claim, Claimed | null>(context, {
    patienceMs: 3_000,
    // under rules the second would wait for the first; without them one larger batch costs less than two
    width: 1,
    refuse: ({ id }, cause) => new AppError('internal', `The job ${id} could not be claimed.`, {}, cause),
    run: async (claims, again) => {
      const send = openStatements(context);
      const ids = plainArray(claims.map(({ id }) => id));
      const tokens = plainArray(claims.map(({ token }) => token));
      const dispatches = plainArray(claims.map(({ dispatch }) => dispatch));
      const workers = plainArray(claims.map(({ worker }) => worker));
      const rows = await send<Row>(claimJobs, [ids, dispatches, tokens, workers, suspects]);
      // after the claim: an earlier try may have been under way until then
      if (again) rows.push(...(await send<Row>(findClaimed, [ids, tokens])));
      const claimed = claims.map((): Claimed | null => null);
      for (const row of rows) {
        const [place] = row;
        claimed[place - 1] = asClaimed(claims[place - 1]!, row);
      }
      return claimed;
    },
  });
  // anyone on the same Redis can add an entry
  return async (claim) => (UUID.test(claim.id) && Number.isInteger(claim.dispatch) ? await claimBatched(claim) : null);
}

function asClaimed({ id, worker }: Claim, row: Row): Claimed {
  const [, owner, queue, version, attempt, failures, payload, trace, createdAt, runAt, startedAt] = row;
  const [steps, payloadContent] = [row[11], row[12]];
  const times = { createdAt, runAt, startedAt };
  return { id, owner, queue, version, attempt, failures, payload, trace, ...times, worker, steps, payloadContent };
}
