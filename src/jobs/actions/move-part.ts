import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { PART } from './action.ts';
import { type ActionFailure, type ActionRow, actionColumns, actionRow } from './action-row.ts';
import { selected } from './selection.ts';
import { verbOf } from './verbs.ts';

/** Failures that are kept with their jobs; the others are counted. */
const MOST_FAILURES = 100;

/** The attempt that carries an action out: what another one holds is not moved. */
export interface Carrier {
  readonly id: string;
  readonly attempt: number;
}

const idRow = row(Type.Object({ id: Type.String() }));

const Moved = Type.Object({
  id: Type.String(),
  /** State it was in. */
  was: Type.String(),
  fits: Type.Boolean(),
  refusal: Type.Union([Type.String(), Type.Null()]),
  queue: Type.String(),
  parentId: Type.Union([Type.String(), Type.Null()]),
});
/** A job as it is after its turn. */
export type Moved = Static<typeof Moved>;

export interface MovedPart {
  readonly action: ActionRow;
  /** Jobs that were acted on. */
  readonly done: readonly Moved[];
}

/**
 * Acts on the next jobs, at most `most`, and writes down how far the action is, in one transaction: a process that is
 * killed leaves none done twice and none left out. The broker and the workers hear of it from the caller.
 *
 * @throws StopReason where the attempt no longer holds its job
 */
export async function movePart(context: Context, id: string, carrier: Carrier, most: number): Promise<MovedPart> {
  return await context.db.transaction(async (tx) => {
    // a cancellation of the action waits for this, and is final when it commits
    const held = await tx.maybeOne(sql.type(idRow)`
      select id from jobs where id = ${carrier.id} and state = 'running' and attempt = ${carrier.attempt} for share`);
    if (!held) throw new StopReason('lease_lost');
    const action = await tx.one(sql.type(actionRow)`
      select ${actionColumns} from job_actions a where a.id = ${id} for update`);
    const ids = await nextIds(tx, action, most);
    // in the order of all batches; what follows sees the rows as they are under their locks
    await tx.query(sql.unsafe`
      select from jobs where id = any(${sql.array([...ids], 'uuid')}) order by id for update`);
    const rows = await move(tx, action, carrier.id, ids);
    const done = rows.filter(({ fits, refusal }) => fits && refusal === null);
    return { action: await noteTurn(tx, action, ids, rows, done.length), done };
  });
}

async function nextIds(tx: CommonQueryMethods, { id, position }: ActionRow, most: number): Promise<readonly string[]> {
  const from = (position % PART) + 1;
  const rows = await tx.any(sql.type(idRow)`
    select unnest(jobs[${from}:${from + most - 1}]) as id from job_action_parts
    where action = ${id} and n = ${Math.floor(position / PART)}`);
  return rows.map((one) => one.id);
}

async function move(
  tx: CommonQueryMethods,
  action: ActionRow,
  carrier: string,
  ids: readonly string[],
): Promise<readonly Moved[]> {
  const { set, to, event, data, refusal } = verbOf(action);
  const text = JSON.stringify({ by: action.madeBy, action: carrier, ...data });
  return await tx.any(sql.type(row(Moved))`
    with given as materialized (
      select j.id, j.state, coalesce(${selected(action.selection, action)}, false) as fits, ${refusal} as refusal
      from jobs j where j.id = any(${sql.array([...ids], 'uuid')})
    ), changed as (
      update jobs j set events = j.events + 1, state = ${to === null ? sql.fragment`j.state` : sql.fragment`${to}`}, ${set}
      from given g where j.id = g.id and g.fits and g.refusal is null
      returning j.id, j.events
    ), told as (
      insert into events (job, n, type, data) select id, events, ${event}, ${text}::jsonb from changed
    )
    select g.id, g.state as was, g.fits, g.refusal, j.queue, j.parent_id as "parentId"
    from given g join jobs j on j.id = g.id order by g.id`);
}

/** Writes what became of the jobs of one turn. */
async function noteTurn(
  tx: CommonQueryMethods,
  action: ActionRow,
  ids: readonly string[],
  rows: readonly Moved[],
  done: number,
): Promise<ActionRow> {
  const skipped = { ...action.skipped };
  const failed = { ...action.failed };
  const failures: ActionFailure[] = [];
  const count = (counts: Record<string, number>, why: string, n = 1) => (counts[why] = (counts[why] ?? 0) + n);
  if (ids.length > rows.length) count(skipped, 'gone', ids.length - rows.length);
  for (const { id, was, fits, refusal } of rows) {
    const isState = action.selection.states.some((state) => state === was);
    if (!fits) count(skipped, isState ? 'changed' : was);
    else if (refusal !== null) {
      count(failed, refusal);
      failures.push({ job: id, code: refusal });
    }
  }
  const kept = [...action.failures, ...failures].slice(0, MOST_FAILURES);
  return await tx.one(sql.type(actionRow)`
    update job_actions a set position = a.position + ${ids.length}, done = a.done + ${done},
      skipped = ${JSON.stringify(skipped)}::jsonb, failed = ${JSON.stringify(failed)}::jsonb, failures = ${JSON.stringify(kept)}::jsonb
    where a.id = ${action.id} returning ${actionColumns}`);
}
