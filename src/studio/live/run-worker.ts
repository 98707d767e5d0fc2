import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { releaseHeld } from '#src/jobs/change/change-job.ts';
import { queuedJobs } from '#src/jobs/model/feed.ts';
import { awaitJobs } from '#src/jobs/read/await-jobs.ts';
import type { Principal } from '#src/lib/principal.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { missingCredential } from '#src/providers/catalogue/credentials.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { readJobs } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const WAIT_MS = 30_000;

export const WorkerInput = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Most jobs to release; 10 where nothing is said' }),
    ),
  },
  { additionalProperties: false },
);

export const WorkerResult = Type.Object(
  {
    status: Type.Enum(['ok', 'disabled', 'blocked'], { type: 'string' }),
    providerCallsEnabled: Type.Boolean(),
    processed: Type.Integer({ minimum: 0, description: 'Jobs that were released and have ended' }),
    items: Type.Array(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }), {
      description: 'The jobs, as they stand now',
    }),
    reasons: Type.Array(Type.String(), {
      description: 'Why something, or with `blocked` anything, was not released, in sentences',
    }),
  },
  { $id: 'StudioWorkerRun', additionalProperties: true },
);
export type WorkerResult = Static<typeof WorkerResult>;

const Due = Type.Object({
  id: Type.String(),
  plan: Type.Unsafe<{ steps: { primary: { provider: string } }[] } | null>({}),
});
type Due = Static<typeof Due>;

/**
 * Releases the oldest approved jobs of the caller that wait in their queues (of everybody, for an operator) and waits
 * up to 30 s for them to end. A job whose provider has no credentials stays, and keeps back none but itself.
 */
export async function runWorker(
  context: Context,
  { owner, operator }: Principal,
  limit: number,
): Promise<WorkerResult> {
  const { config } = context;
  const providerCallsEnabled = config.PROVIDER_CALLS === 'on';
  const nothing = { providerCallsEnabled, processed: 0, items: [] };
  if (config.STUDIO_WORKER === 'off') {
    return { ...nothing, status: 'disabled', reasons: ['Worker runs are switched off (STUDIO_WORKER).'] };
  }
  if (!providerCallsEnabled) {
    return { ...nothing, status: 'blocked', reasons: ['Provider calls are switched off (PROVIDER_CALLS).'] };
  }
  const due = await context.db.any(sql.type(row(Due))`
    select j.id, p.plan from (${queuedJobs} union all select * from jobs where state = 'queued' and held) j left join studio_jobs s on s.id = j.id left join studio_plans p on p.id = s.plan
    where j.queue in ('studio.render', 'studio.publish') and (${operator} or j.owner = ${owner})
    order by j.queued_at, j.id limit ${limit}`);
  const checked = due.map(({ id, plan }) => ({ id, reasons: missingCredentials(context, plan) }));
  const ids = checked.filter(({ reasons }) => reasons.length === 0).map(({ id }) => id);
  const reasons = [...new Set(checked.flatMap(({ reasons: missing }) => missing))];
  if (ids.length === 0 && reasons.length > 0) return { ...nothing, status: 'blocked', reasons };
  await releaseHeld(context, ids);
  const jobs = await waitFor(context, ids);
  return {
    status: 'ok',
    providerCallsEnabled,
    processed: jobs.filter(({ finishedAt }) => finishedAt !== null).length,
    items: jobs.map(studioJobView),
    reasons,
  };
}

/** Why a plan cannot be carried out: its primary providers whose credentials this process does not have. */
function missingCredentials(context: Context, plan: Due['plan']): string[] {
  const needed = new Set(plan?.steps.map(({ primary }) => primary.provider));
  return catalogueOf(context)
    .filter(({ id }) => needed.has(id))
    .flatMap((provider) => {
      const name = missingCredential(provider);
      return name === null ? [] : [`The provider ${provider.id} has no worker credentials: set ${name}.`];
    });
}

async function waitFor(context: Context, ids: readonly string[]) {
  try {
    const ended = await awaitJobs(context, ids, AbortSignal.timeout(WAIT_MS));
    return ids.flatMap((id) => ended.get(id) ?? []);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    return await readJobs(context, ids);
  }
}
