import { isLarge, keepContent } from '#src/jobs/contents/content.ts';
import type { ContentRef } from '#src/jobs/model/content-ref.ts';
import { type Feed, feedBy } from '#src/jobs/model/feed.ts';
import type { State } from '#src/jobs/model/states.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';

export interface Settlement {
  readonly id: string;
  /** Named where its result may lie beside the row. */
  readonly queue?: string;
  readonly attempt: number;
  readonly token: string;
  readonly state: Extract<State, 'succeeded' | 'failed' | 'queued'>;
  /** Type and data of its event. */
  readonly event: string;
  readonly data: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  /** True where this counts against the job's attempts. */
  readonly counts: boolean;
  /** Milliseconds that it waits in its queue, where it goes back there. */
  readonly delayMs: number;
}

/** A settlement whose values are JSON texts. */
interface Written extends Omit<Settlement, 'data' | 'result' | 'error'> {
  readonly data: string;
  /** Null also where it lies beside the row. */
  readonly result: string | null;
  readonly resultContent: ContentRef | null;
  readonly error: string | null;
}

export interface Settled {
  readonly dispatch: number;
  readonly priority: number;
  readonly suspect: boolean;
  readonly feed: Feed;
  readonly runAt: Date;
  readonly queuedAt: Date;
  /** The job that has submitted it and may wait for it; null without one, and for a job of a flow, which leaves a row. */
  readonly parentId: string | null;
  /** True where others wait for its end. */
  readonly awaited: boolean;
}

type Row = readonly [
  /** Place of the settlement in its batch, from 1: beside the current one a batch may hold a late one of the same job. */
  place: number,
  dispatch: number,
  priority: number,
  suspect: boolean,
  runAt: Date,
  queuedAt: Date,
  parentId: string | null,
  feed: Feed,
  awaited: boolean,
];

/**
 * Settles for one worker process: result, state and event in one statement, where the fence still holds. Answers null
 * when it no longer does: the work is void, another attempt or a cancellation counts.
 *
 * @throws AppError `invalid_result` when the result cannot be stored; `unavailable`, `storage_full` when the place where
 *   large results lie does not take it.
 */
export function openSettlements(context: Context): (settlement: Settlement) => Promise<Settled | null> {
  const settleBatched = batched<Written, Settled | null>(context, {
    // a few leases: by then others run the job, and the settlement would be late
    patienceMs: context.config.LEASE_MS * 4,
    weigh: ({ data, result, error }) => data.length + (result?.length ?? 0) + (error?.length ?? 0),
    refuse: ({ id }, cause) =>
      new AppError(
        'invalid_result',
        'The result holds a value that cannot be stored: expected text without \\u0000 and lone surrogates, and nesting below 1,000 levels.',
        { job: id },
        cause,
      ),
    run: async (settlements) => {
      const settled = settlements.map((): Settled | null => null);
      const take = (rows: readonly Row[]) => {
        for (const row of rows) settled[row[0] - 1] = asSettled(row);
      };
      take(await settle(context, settlements));
      if (settled.includes(null)) take(await openStatements(context)<Row>(findSettled, endsOf(settlements)));
      return settled;
    },
  });
  return async (settlement) => {
    const written = write(settlement);
    const { queue, result } = written;
    const isBeside = queue !== undefined && result !== null && isLarge(queue, result);
    return await settleBatched(isBeside ? await place(context, written) : written);
  };
}

/** Puts a result that is too large for its row beside it. */
async function place(context: Context, written: Written): Promise<Written> {
  const { id, result } = written;
  try {
    return { ...written, result: null, resultContent: await keepContent(context, id, result ?? 'null') };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payload_too_large')) throw error;
    throw new AppError('invalid_result', `The result is too large: ${error.message}`, error.details, error);
  }
}

function asSettled(row: Row): Settled {
  const [, dispatch, priority, suspect, runAt, queuedAt, parentId, feed, awaited] = row;
  return { dispatch, priority, suspect, feed, runAt, queuedAt, parentId, awaited };
}

/** JSON texts, made before the batch: what cannot be written must fail alone. */
function write({ data, result, error, ...settlement }: Settlement): Written {
  const text = (value: unknown) => {
    if (value === undefined) return null;
    const json = JSON.stringify(value) as string | undefined;
    if (json === undefined) throw new TypeError(`a ${typeof value} has no JSON`);
    return json;
  };
  try {
    const texts = { data: text(data) ?? '{}', result: text(result), error: text(error) };
    return { ...settlement, ...texts, resultContent: null };
  } catch (cause) {
    throw new AppError(
      'invalid_result',
      `The result cannot be written as JSON (${cause instanceof Error ? cause.message.slice(0, 100) : 'unknown reason'}).`,
      { job: settlement.id },
      cause,
    );
  }
}

/** A flow goes by the rows that the ends of its jobs leave: each wake would lock its row, 100,000 times. */
const parent = 'case when j.flow_node is null then j.parent_id end';

/** Changed in id order, row by row: see the claim. */
export const settleJobs: Statement = {
  name: 'settle-jobs',
  text: `
    with given as materialized (
      select *, 'running' as was
      from unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bool[], $10::int4[],
        $11::text[]) with ordinality as g (id, attempt, token, state, event, data, result, error, counts, delay_ms, result_content, place)
      order by id
    ), settled as (
      update jobs j
      set state = g.state, events = j.events + 1, worker_id = null,
        -- what it failed with last stays to be seen until it succeeds
        result = g.result::jsonb, result_content = g.result_content::jsonb,
        error = case when g.state = 'queued' and g.error is null then j.error else g.error::jsonb end,
        failures = j.failures + g.counts::int,
        dispatch = j.dispatch + (g.state = 'queued')::int,
        queued_at = case when g.state = 'queued' then now() else j.queued_at end,
        run_at = case when g.state = 'queued' then now() + g.delay_ms * interval '1 ms' else j.run_at end,
        feed = case when g.state = 'queued' then ${feedBy("now() + g.delay_ms * interval '1 ms'")} else j.feed end,
        finished_at = case when g.state = 'queued' then null else now() end
      from given g
      where j.id between g.id and g.id and j.attempt = g.attempt and j.claim_token = g.token and j.state is not distinct from g.was
      returning g.place::int4, j.id, j.events, j.dispatch, j.priority, j.suspect, j.run_at, j.queued_at, ${parent} as parent_id, j.feed,
        j.awaited, g.event, g.data
    ), told as (
      insert into events (job, n, type, data) select id, events, event, data::jsonb from settled
    )
    select place, dispatch, priority, suspect, run_at, queued_at, parent_id, feed, awaited from settled`,
};

/** Finds the settlements of an earlier try: the same token and fence, in the wanted state, with the same end. */
export const findSettled: Statement = {
  name: 'find-settled-jobs',
  text: `
    select g.place::int4, j.dispatch, j.priority, j.suspect, j.run_at, j.queued_at, ${parent}, j.feed, j.awaited
    from jobs j join unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::text[])
        with ordinality as g (id, attempt, token, state, result, error, place)
      on j.id = g.id and j.attempt = g.attempt and j.claim_token = g.token and j.state is not distinct from g.state
    -- of a result beside its row the place is another at each try
    where (j.result_content is not null or j.result is not distinct from g.result::jsonb)
      and (j.error is not distinct from g.error::jsonb or g.state = 'queued' and g.error is null)`,
};

const fenceOf = (settlements: readonly Written[]) => [
  plainArray(settlements.map(({ id }) => id)),
  plainArray(settlements.map(({ attempt }) => attempt)),
  plainArray(settlements.map(({ token }) => token)),
  plainArray(settlements.map(({ state }) => state)),
];

/** Settlements with what they end with, for another look at them. */
const endsOf = (settlements: readonly Written[]) => [
  ...fenceOf(settlements),
  textArray(settlements.map(({ result }) => result)),
  textArray(settlements.map(({ error }) => error)),
];

async function settle(context: Context, settlements: readonly Written[]): Promise<Row[]> {
  return await openStatements(context)<Row>(settleJobs, [
    ...fenceOf(settlements),
    textArray(settlements.map(({ event }) => event)),
    textArray(settlements.map(({ data }) => data)),
    textArray(settlements.map(({ result }) => result)),
    textArray(settlements.map(({ error }) => error)),
    plainArray(settlements.map(({ counts }) => counts)),
    plainArray(settlements.map(({ delayMs }) => Math.ceil(delayMs))),
    textArray(settlements.map(({ resultContent }) => resultContent && JSON.stringify(resultContent))),
  ]);
}
