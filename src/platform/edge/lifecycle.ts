import { Type } from 'typebox';
import type { MediaCapability } from '#queues/providers.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { jobSummaryView } from '#src/jobs/model/job-view.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import type { Context } from '#src/system/context.ts';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Members that answers of work have beside their own: spread into their schemas. */
export const lifecycle = {
  job: Type.Ref('JobSummary', { description: 'The job that does it' }),
  run: Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Names what was run: the id of the job' }),
      provider: nullable('Provider that made it; null until one has'),
      model: nullable('With which model, as the catalogue has it now'),
      cost_usd: Type.Union([Type.Number(), Type.Null()], { description: 'Cost in dollars' }),
      warnings: Type.Optional(
        Type.Array(Type.String(), { description: 'Parts left out, and differences from the request, in sentences' }),
      ),
    },
    { title: 'WorkRun', description: 'Provider, model, time and cost of the work' },
  ),
  audit_receipt: Type.Null({ description: 'The sealed receipt; null where there is none' }),
};

/** The 202 of work that takes longer than the client waits. */
export const Pending = Type.Object(lifecycle, {
  $id: 'PendingWork',
  title: 'PendingWork',
  description: 'Accepted and still at work; `job.links` say where to look',
});

/** The members of {@link lifecycle} of a job that asks providers. */
export function lifecycleOf(context: Context, job: Job) {
  const result = (job.result ?? {}) as { provider?: string; cost?: number; notes?: string[] };
  const { provider = null, cost = null, notes = [] } = result;
  const { capability } = job.payload as { readonly capability: MediaCapability };
  const known = catalogueOf(context).find(({ id }) => id === provider);
  return {
    job: jobSummaryView(job),
    run: {
      id: job.id,
      provider,
      model: known?.capabilities[capability]?.model ?? null,
      cost_usd: cost === null ? null : cost / 1e6,
      ...(notes.length > 0 && { warnings: notes }),
    },
    audit_receipt: null,
  };
}
