import { type Static, Type } from 'typebox';
import type { Job, JobSummary } from '#src/jobs/model/job.ts';
import { states } from '#src/jobs/model/states.ts';

/** A job of the studio as its owner sees it. */
export const StudioJob = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum(['render', 'publish', 'call'], { type: 'string' }),
    status: Type.Enum([...states], { type: 'string' }),
    held: Type.Boolean({
      description: 'True for a job that is approved, and does not run until a worker run releases it',
    }),
    approvalRef: Type.Union([Type.String(), Type.Null()]),
    error: Type.Unsafe<unknown>({ description: 'Why it failed; null when it did not' }),
    result: Type.Unsafe<unknown>({ description: 'Result; null until it has succeeded' }),
    receiptId: Type.Union([Type.String(), Type.Null()], { description: 'Its receipt, once it has succeeded' }),
    createdAt: Type.String({ format: 'date-time' }),
    finishedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    links: Type.Object({ self: Type.String(), events: Type.String() }),
  },
  { $id: 'StudioJob', additionalProperties: false, description: 'A job of the studio' },
);
export type StudioJob = Static<typeof StudioJob>;

const kinds: Readonly<Record<string, StudioJob['kind']>> = {
  'studio.render': 'render',
  'studio.publish': 'publish',
  'providers.generate': 'call',
};

export function studioJobView(job: Job | (JobSummary & { readonly result?: unknown })): StudioJob {
  const { id, queue, state, approvalId, error, createdAt, finishedAt, held } = job;
  const result = 'result' in job ? dollars(job.result) : null;
  return {
    id,
    kind: kinds[queue] ?? 'call',
    status: state,
    held,
    approvalRef: approvalId,
    error,
    result,
    receiptId: state === 'succeeded' && queue.startsWith('studio.') ? id : null,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    links: { self: `/v1/jobs/${id}`, events: `/v1/jobs/${id}/events` },
  };
}

/** Inside, costs are millionths of a dollar; outside, dollars. */
function dollars(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return null;
  const { cost, ...rest } = result as { readonly cost?: number };
  return cost === undefined ? rest : { ...rest, costUsd: cost / 1e6 };
}
