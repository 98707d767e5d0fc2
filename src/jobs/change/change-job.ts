import { type CommonQueryMethods, type QuerySqlToken, sql } from 'slonik';
import Type from 'typebox';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { setFeed } from '#src/jobs/model/feed.ts';
import { Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import { moves } from '#src/jobs/model/states.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const changedRow = row(Type.Interface([Job], { was: Type.String() }));
type Changed = Job & { readonly was: string };

/**
 * One job moved by hand, with its event, in one statement: `set` changes what else the move changes. Answers the job
 * and the state it was in.
 *
 * @throws AppError `not_found`, or `state_conflict` where the job's state does not allow the move.
 */
export async function changeJob(
  { db }: { readonly db: CommonQueryMethods },
  id: string,
  move: keyof typeof moves,
  {
    event,
    data,
    set,
  }: { readonly event: string; readonly data: object; readonly set: ReturnType<typeof sql.fragment> },
): Promise<Changed> {
  const { from, to } = moves[move];
  const statement: QuerySqlToken<typeof changedRow> = sql.type(changedRow)`
    with locked as materialized (
      select id, state from jobs where id = ${id} for update
    ), changed as (
      update jobs j set state = ${to}, events = j.events + 1, ${set}
      from locked l
      where j.id = l.id and l.state = any(${sql.array([...from], 'text')})
      returning j.*, l.state as was
    ), told as (
      insert into events (job, n, type, data) select id, events, ${event}, ${JSON.stringify(data)}::jsonb from changed
    )
    select ${jobColumns}, j.was from changed j`;
  const changed = await db.maybeOne(statement);
  if (changed) return changed;
  const state = await db.maybeOneFirst(
    sql.type(row(Type.Object({ state: Type.String() })))`select state from jobs where id = ${id}`,
  );
  if (state === null) throw new AppError('not_found', `No job has the id ${id}.`, { job: id });
  throw new AppError(
    'state_conflict',
    `Expected a job that is ${from.join(' or ')}, got one that is ${state}: it cannot ${move}.`,
    { job: id, state },
  );
}

/**
 * Lets held jobs go, those of `ids` that wait in their queue; the others are left as they are. Answers the jobs that
 * now run as soon as a worker is free.
 */
export async function releaseHeld(context: Context, ids: readonly string[]): Promise<readonly Job[]> {
  const { db, log } = context;
  const released = await db.any(sql.type(jobRow)`
    with locked as materialized (
      select id from jobs where id = any(${sql.array([...ids], 'uuid')}) and state = 'queued' and held order by id for update
    ), changed as (
      update jobs j set held = false, events = j.events + 1, queued_at = now(), run_at = greatest(j.run_at, now()), ${setFeed}
      from locked l where j.id = l.id returning j.*
    ), told as (
      insert into events (job, n, type, data)
      select id, events, 'released', jsonb_build_object('reason', 'held') from changed
    )
    select ${jobColumns} from changed j order by j.id`);
  // what Redis does not take now, the audit adds
  await openBroker(context)
    .addAll(released)
    .catch((error: unknown) => log.debug({ err: error }, 'broker adds were lost; the audit will repeat them'));
  return released;
}
