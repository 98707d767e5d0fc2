import { sql } from 'slonik';
import Type from 'typebox';
import { act } from '#queues/jobs.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Submitter } from '#src/jobs/submit/terms.ts';
import { AppError } from '#src/lib/errors.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type ActionRow, readAction } from './action-row.ts';
import { selected } from './selection.ts';

export interface Begin {
  readonly principal: Submitter;
  /** Key or person who begins it. */
  readonly by: string;
  /** Jobs a second. */
  readonly rate: number;
  /** Share of the previewed jobs that may have moved on, 0 to 1. */
  readonly changedShare: number;
}

const DAY_S = 86_400;

const countRow = row(Type.Object({ n: Type.Integer() }));

/** Reads a preview that a caller has made. @throws AppError `not_found` for any other token */
export async function findPreview(context: Context, token: string, by: string): Promise<ActionRow> {
  const action = await readAction(context, token);
  if (action?.madeBy === by) return action;
  throw new AppError('not_found', `expected the token of a preview of yours, got ${token}: preview the action anew.`, {
    field: 'body.token',
    value: token,
  });
}

/**
 * Submits the job that carries out a previewed action. Once: a repetition answers the same job.
 *
 * @throws AppError `state_conflict` for a preview that is too old, or of which too many jobs have moved on
 */
export async function beginAction(context: Context, action: ActionRow, begin: Begin): Promise<Job> {
  const { id, jobs, selection, priority } = action;
  if (action.begunAt === null) {
    assertRate(action, begin.rate);
    await assertUnchanged(context, action, begin.changedShare);
    await markBegun(context, action);
  }
  const { job, created } = await submit(context, act, {
    principal: begin.principal,
    payload: {
      actionId: id,
      action: action.action,
      ...(priority !== null && { priority }),
      jobs,
      rate: begin.rate,
      by: begin.by,
      selection,
    },
    // with a space, which no client's key has
    idempotencyKey: `action ${id}`,
    request: id,
  });
  if (created)
    context.log.info(
      { audit: `jobs.${action.action}`, by: begin.by, job: job.id, jobs, priority, selection, rate: begin.rate },
      'an action on many jobs was begun',
    );
  return job;
}

/** @throws AppError `invalid_request` for a rate at which the jobs would take more than a day */
function assertRate({ jobs }: ActionRow, rate: number): void {
  const least = Math.ceil(jobs / DAY_S);
  if (rate >= least) return;
  throw new AppError(
    'invalid_request',
    `body.rate: expected at least ${least} jobs a second, which take a day for ${jobs}, got ${rate}.`,
    { field: 'body.rate', value: rate },
  );
}

/** Takes the preview for good, before its job is there: a repetition goes on with the same job. */
async function markBegun({ db }: Context, { id }: ActionRow): Promise<void> {
  const { rowCount } = await db.query(sql.unsafe`
    update job_actions set begun_at = coalesce(begun_at, now()) where id = ${id} and (begun_at is not null or expires_at >= now())`);
  if (rowCount > 0) return;
  throw new AppError(
    'state_conflict',
    'Expected a preview that can still be begun, got one that is too old: preview the action anew.',
    {
      field: 'body.token',
    },
  );
}

/** @throws AppError `state_conflict` where more than the share of the previewed jobs no longer fit */
async function assertUnchanged({ db }: Context, action: ActionRow, share: number): Promise<void> {
  const { n } = await db.one(sql.type(countRow)`
    select count(*) as n from job_action_parts p cross join lateral unnest(p.jobs) as u (id) join jobs j on j.id = u.id
    where p.action = ${action.id} and ${selected(action.selection, action)}`);
  if (action.jobs - n <= action.jobs * share) return;
  throw new AppError(
    'state_conflict',
    `The preview was of ${counted(action.jobs, 'job')}, of which ${n} still fit: too many have changed meanwhile. Preview the action anew.`,
    { previewed: action.jobs, unchanged: n, changed_share: share },
  );
}
