import { sql } from 'slonik';
import { Type } from 'typebox';
import { assertMayDirect } from '#src/http/jobs/may-direct-job.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { isTerminal, unfinishedStates } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { callerName } from '#src/lib/principal.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { unknown } from './scope-of.ts';

const Own = row(Type.Object({ id: Type.String() }));

/**
 * Cancels a job of the studio, and the calls of providers that it has under way.
 *
 * @throws AppError `not_found`, `forbidden` without the scope that asks for such work, `state_conflict` when it has
 *   ended.
 */
export async function cancelWork(context: Context, principal: Principal, id: string): Promise<Outcome> {
  const { owner } = principal;
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  const own = isId
    ? await context.db.maybeOne(sql.type(Own)`select id from studio_jobs where id = ${id} and owner = ${owner}`)
    : null;
  const job = own && (await readJob(context, id));
  if (!job) throw unknown({ targetType: 'job', targetId: id });
  // a caller who may cancel a render may cancel its calls
  assertMayDirect(principal, job.parentId === null ? job.queue : 'studio.render');
  const by = callerName(principal);
  const cancelled = await cancelJob(context, id, by);
  const children = await context.db.any(sql.type(Own)`
    select id from jobs where parent_id = ${id} and state = any(${sql.array([...unfinishedStates], 'text')}) order by id`);
  const ended = await Promise.all(children.map(({ id: child }) => cancelChild(context, child, by)));
  return {
    output: { job: studioJobView(cancelled), children: ended },
    resources: [`studio://jobs/${id}`, 'studio://jobs/index'],
  };
}

/** One that has ended meanwhile stays as it is. */
async function cancelChild(context: Context, id: string, by: string) {
  try {
    return studioJobView(await cancelJob(context, id, by));
  } catch (error) {
    const job = await readJob(context, id);
    if (!(error instanceof AppError && error.code === 'state_conflict' && job && isTerminal(job.state))) throw error;
    return studioJobView(job);
  }
}
