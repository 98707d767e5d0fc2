import type { Job } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';

/** What to say of a job that is approved and does not run. */
export function heldWarning({ config }: Pick<Context, 'config'>, { state, held }: Job): string[] {
  if (state !== 'queued' || !held) return [];
  return [
    config.PROVIDER_CALLS === 'off'
      ? 'Provider calls are switched off (PROVIDER_CALLS): the job is approved and waits. A worker run releases it once they are on.'
      : 'The job is approved and held: a worker run releases it (POST /api/studio/v1/worker/run).',
  ];
}
