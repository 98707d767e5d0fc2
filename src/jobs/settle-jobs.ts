import { sql } from 'slonik';
import Type from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { batched } from './batched.ts';
import type { State } from './states.ts';

export interface Settlement {
  readonly id: string;
  readonly attempt: number;
  readonly token: string;
  readonly state: Extract<State, 'succeeded' | 'failed' | 'queued'>;
  /** Type and data of the event that tells it. */
  readonly event: string;
  readonly data: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  /** Whether this counts against the job's attempts. */
  readonly counts: boolean;
  /** Where it goes back to its queue: how long it waits there. */
  readonly delayMs: number;
}

/** A settlement whose values are JSON texts. */
interface Written extends Omit<Settlement, 'data' | 'result' | 'error'> {
  readonly data: string;
  readonly result: string | null;
  readonly error: string | null;
}

export interface Settled {
  readonly dispatch: number;
  readonly priority: number;
  readonly suspect: boolean;
  readonly runAt: Date;
  readonly queuedAt: Date;
}

const settledRow = row(
  Type.Object({
    id: Type.String(),
    token: Type.String(),
    dispatch: Type.Integer(),
    priority: Type.Integer(),
    suspect: Type.Boolean(),
    runAt: Type.Unsafe<Date>({}),
    queuedAt: Type.Unsafe<Date>({}),
  }),
);

/**
 * Settles for one worker process: result, state and event in one statement, where the fence still holds. Answers null
 * when it no longer does: the work is void, another attempt or a cancellation stands.
 *
 * @throws AppError `invalid_result` when the result cannot be stored.
 */
export function openSettlements(context: Context): (settlement: Settlement) => Promise<Settled | null> {
  const { db } = context;
  const settleBatched = batched<Written, Settled | null>(context, {
    // a few leases: by then others run the job, and the settlement would be late
    patienceMs: context.config.LEASE_MS * 4,
    refuse: ({ id }, cause) =>
      new AppError(
        'invalid_result',
        'The result holds a value that cannot be stored: expected text without \\u0000 and lone surrogates, and nesting below 1,000 levels.',
        { job: id },
        cause,
      ),
    run: async (settlements) => {
      const settled = await settle(db, settlements);
      // by token, not by id: a batch may hold a late settlement beside the current one
      const done = new Map(settled.map((one) => [one.token, one]));
      const rest = settlements.filter(({ token }) => !done.has(token));
      // my own token and fence in the state I wanted: my own success, whose answer was lost
      if (rest.length > 0) for (const own of await readBack(db, rest)) done.set(own.token, own);
      return settlements.map(({ token }) => done.get(token) ?? null);
    },
  });
  return async (settlement) => await settleBatched(write(settlement));
}

/** JSON texts, made before the batch: what cannot be written must fail alone. */
function write({ data, result, error, ...settlement }: Settlement): Written {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  try {
    return { ...settlement, data: text(data) ?? '{}', result: text(result), error: text(error) };
  } catch (cause) {
    throw new AppError(
      'invalid_result',
      `The result cannot be written as JSON (${cause instanceof Error ? cause.message.slice(0, 100) : 'unknown reason'}).`,
      { job: settlement.id },
      cause,
    );
  }
}

async function settle(db: Context['db'], settlements: readonly Written[]) {
  const column = (pick: (one: Written) => string | number | boolean | null, type: string) =>
    sql.array(settlements.map(pick), type);
  return await db.any(sql.type(settledRow)`
    with given as materialized (
      select g.*, 'running' as was from unnest(
        ${column(({ id }) => id, 'uuid')}, ${column(({ attempt }) => attempt, 'int4')}, ${column(({ token }) => token, 'uuid')},
        ${column(({ state }) => state, 'text')}, ${column(({ event }) => event, 'text')}, ${column(({ data }) => data, 'text')},
        ${column(({ result }) => result, 'text')}, ${column(({ error }) => error, 'text')},
        ${column(({ counts }) => counts, 'bool')}, ${column(({ delayMs }) => Math.ceil(delayMs), 'int4')}
      ) as g (id, attempt, token, state, event, data, result, error, counts, delay_ms)
    ), locked as materialized (
      select id, attempt, claim_token, state from jobs where id = any(${column(({ id }) => id, 'uuid')}) order by id for update
    ), fit as materialized (
      -- materialized, the wanted state as a column, for the planner: see the claim
      select g.* from given g
      join locked l on l.id = g.id and l.attempt = g.attempt and l.claim_token = g.token and l.state = g.was
    ), settled as (
      update jobs j
      set state = g.state, events = j.events + 1, worker_id = null,
        -- what it failed with last stays to be seen until it succeeds
        result = g.result::jsonb, error = case when g.state = 'queued' and g.error is null then j.error else g.error::jsonb end,
        failures = j.failures + g.counts::int,
        dispatch = j.dispatch + (g.state = 'queued')::int,
        queued_at = case when g.state = 'queued' then now() else j.queued_at end,
        run_at = case when g.state = 'queued' then now() + g.delay_ms * interval '1 ms' else j.run_at end,
        finished_at = case when g.state = 'queued' then null else now() end
      from fit g
      where j.id = g.id
      returning j.id, j.claim_token, j.events, j.dispatch, j.priority, j.suspect, j.run_at, j.queued_at, g.event, g.data
    ), told as (
      insert into events (job, n, type, data) select id, events, event, data::jsonb from settled
    )
    select id, claim_token as token, dispatch, priority, suspect, run_at as "runAt", queued_at as "queuedAt" from settled`);
}

async function readBack(db: Context['db'], rest: readonly Written[]) {
  return await db.any(sql.type(settledRow)`
    select j.id, j.claim_token as token, j.dispatch, j.priority, j.suspect, j.run_at as "runAt", j.queued_at as "queuedAt"
    from jobs j join unnest(
      ${sql.array(
        rest.map(({ id }) => id),
        'uuid',
      )}, ${sql.array(
        rest.map(({ attempt }) => attempt),
        'int4',
      )},
      ${sql.array(
        rest.map(({ token }) => token),
        'uuid',
      )}, ${sql.array(
        rest.map(({ state }) => state),
        'text',
      )}
    ) as g (id, attempt, token, state) on j.id = g.id and j.attempt = g.attempt and j.claim_token = g.token and j.state = g.state`);
}
