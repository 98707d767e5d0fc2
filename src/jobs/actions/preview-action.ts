import { randomUUID } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { act } from '#queues/jobs.ts';
import type { Action } from '#src/jobs/model/action-states.ts';
import { type JobSummary, jobSummaryColumns, jobSummaryRow } from '#src/jobs/model/job.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { isTimeout } from '#src/system/postgres/postgres-errors.ts';
import { MOST_JOBS, MOST_PREVIEWS, PART, PREVIEW_S, SAMPLE } from './action.ts';
import { type ActionRow, actionColumns, actionRow } from './action-row.ts';
import { type Selection, selected } from './selection.ts';

/** Longest time that one statement looks for jobs. */
const STATEMENT_MS = 15_000;

export interface WantedAction {
  readonly owner: string;
  /** Key or person who may begin it. */
  readonly madeBy: string;
  readonly action: Action;
  readonly priority: number | null;
  readonly selection: Selection;
  /** Only these of the selection; all of it without them. */
  readonly ids?: readonly string[];
}

export interface Preview {
  readonly action: ActionRow;
  /** The first jobs in the order in which they will be acted on. */
  readonly sample: readonly JobSummary[];
}

const partRow = row(Type.Object({ jobs: Type.Integer() }));

/**
 * Keeps the jobs that an action is about: exactly these, and no later ones, are acted on when it begins. Its row names
 * them for {@link PREVIEW_S} seconds.
 *
 * @throws AppError `invalid_request` for more than {@link MOST_JOBS}, `unavailable` where looking takes too long
 */
export async function previewAction({ db }: Pick<Context, 'db'>, wanted: WantedAction): Promise<Preview> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(sql.unsafe`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`);
      await forgetPreviews(tx, wanted.owner);
      return await keepPreview(tx, wanted);
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const message = 'Looking for the jobs took too long: name a queue or a state, or a shorter time, and try again.';
    throw new AppError('unavailable', message, { limitMs: STATEMENT_MS }, error);
  }
}

/** Deletes previews that can no longer be begun, and of the owner's others all but the newest. */
async function forgetPreviews(tx: CommonQueryMethods, owner: string): Promise<void> {
  await tx.query(sql.unsafe`
    delete from job_actions where id in (
      select id from job_actions where begun_at is null and (expires_at < now() or id in (
        select id from job_actions where owner = ${owner} and begun_at is null
        order by made_at desc offset ${MOST_PREVIEWS - 1}
      )) for update skip locked
    )`);
}

async function keepPreview(tx: CommonQueryMethods, wanted: WantedAction): Promise<Preview> {
  const { owner, madeBy, action, priority, selection, ids } = wanted;
  const id = randomUUID();
  await tx.query(sql.unsafe`
    insert into job_actions (id, owner, made_by, action, priority, selection, jobs, expires_at)
    values (${id}, ${owner}, ${madeBy}, ${action}, ${priority}, ${JSON.stringify(selection)}::jsonb, 0,
      now() + ${PREVIEW_S} * interval '1 second')`);
  const parts = await tx.any(sql.type(partRow)`
    with chosen as (
      select j.id from jobs j
      where j.queue <> ${act.name} and ${ids === undefined ? sql.fragment`true` : sql.fragment`j.id = any(${sql.array([...ids], 'uuid')})`}
        and ${selected(selection, { action, priority })}
      limit ${MOST_JOBS + 1}
    ), numbered as (
      select id, (row_number() over (order by id) - 1) / ${PART} as n from chosen
    )
    insert into job_action_parts (action, n, jobs)
    select ${id}, n, array_agg(id order by id) from numbered group by n
    returning cardinality(jobs) as jobs`);
  const count = parts.reduce((total, part) => total + part.jobs, 0);
  if (count > MOST_JOBS) {
    const message = `expected a filter of at most ${MOST_JOBS} jobs, got more: name a queue, a state, or a shorter time.`;
    throw new AppError('invalid_request', message, { field: 'body.filter', limit: MOST_JOBS });
  }
  const kept = await tx.one(sql.type(actionRow)`
    update job_actions a set jobs = ${count} where a.id = ${id} returning ${actionColumns}`);
  const sample = await tx.any(sql.type(jobSummaryRow)`
    select ${jobSummaryColumns} from jobs j where j.id = any(
      select unnest(p.jobs) from job_action_parts p where p.action = ${id} and p.n = 0 order by 1 limit ${SAMPLE}
    ) order by j.id`);
  return { action: kept, sample };
}
