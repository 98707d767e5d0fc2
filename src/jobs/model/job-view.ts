import { type Static, Type } from 'typebox';
import { OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';
import { actions } from './action-states.ts';
import type { Job, JobSummary } from './job.ts';
import { JobParent } from './job-parent.ts';
import { states } from './states.ts';
import { WaitsFor } from './waits-for.ts';

export const JobFailure = Type.Object(
  {
    code: Type.String({ description: 'The code that programs go by; docs/errors.md lists all' }),
    message: Type.String({ description: 'The failure in a sentence' }),
    details: Type.Optional(Type.Unsafe<unknown>({ description: 'More for machines; depends on the code' })),
  },
  { title: 'JobFailure', description: 'Why the job failed, or failed last' },
);

/** A job as lists show it. */
export const JobSummaryView = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Names the job, for ever' }),
    kind: Type.Literal('job', { description: 'Kind of work that `job` members of answers name: `job`, or `mission`' }),
    owner: Type.String({ description: 'Owner of the key that submitted it' }),
    queue: Type.String({ description: 'Kind of work, as `<surface>.<verb-noun>`' }),
    version: Type.Integer({ minimum: 1, description: 'Version of the contract that it was accepted under' }),
    state: Type.Enum([...states], {
      type: 'string',
      description: 'State of the job; succeeded, failed and cancelled are final (a failed one may be redriven)',
    }),
    status: Type.Enum([...states], { type: 'string', description: 'The same as `state`' }),
    priority: Type.Integer({ minimum: 0, maximum: 1_000, description: '0 runs first, 1000 last' }),
    attempt: Type.Integer({ minimum: 0, description: 'How often it has been started' }),
    failures: Type.Integer({
      minimum: 0,
      description: 'How many of its attempts have failed; drains and lost workers do not count',
    }),
    held: Type.Boolean({ description: 'Whether it waits in its queue until it is released' }),
    events: Type.Integer({ minimum: 1, description: 'Number of its newest event' }),
    error: Type.Union([JobFailure, Type.Null()], {
      description: 'Why it failed, or failed last; null when it never did',
    }),
    group: OptionalText('Whose share of the queue it belongs to; null: its owner’s'),
    metadata: Type.Unsafe<unknown>({ description: 'The submitter’s own words about it, as they came; else null' }),
    receipt: Type.Union([Type.Enum(['wanted', 'sealed'], { type: 'string' }), Type.Null()], {
      description:
        'Whether its end is sealed: `wanted` until then, `sealed` once there is a receipt with its id; null where none is asked for',
    }),
    idempotency_key: OptionalText('The Idempotency-Key of its request'),
    parent_id: OptionalText('The job that submitted it'),
    approval_id: OptionalText('The decision it waits or waited for'),
    created_at: Time('When it was accepted'),
    queued_at: Time('When it last came into its queue'),
    run_at: Time('When it is or was due'),
    expires_at: OptionalTime('When it is cancelled unless it has begun; null: never, or it has begun'),
    started_at: OptionalTime('When its last attempt was started'),
    finished_at: OptionalTime('When it reached a final state'),
    url: Type.String({ pattern: '^/', description: 'Path of this job' }),
    links: Type.Object(
      {
        self: Type.String({ description: 'This job' }),
        events: Type.String({ description: 'Its events as they happen (SSE)' }),
        websocket: Type.String({ description: 'The same by WebSocket' }),
      },
      { title: 'JobLinks', description: 'Paths of what belongs to it' },
    ),
  },
  { $id: 'JobSummary', title: 'JobSummary', description: 'One piece of accepted work, without its payload and result' },
);
export type JobSummaryView = Static<typeof JobSummaryView>;

const Counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { additionalProperties: false, description });
const WholeNumber = (description: string) => Type.Integer({ minimum: 0, description });

/** Counts of an action on many jobs, as far as it has come. */
export const ActionProgress = Type.Object(
  {
    action: Type.Enum([...actions], { type: 'string', description: 'What it does to each job' }),
    jobs: WholeNumber('Jobs that it is about'),
    over: WholeNumber('Those whose turn has come: done, skipped or failed'),
    done: WholeNumber('Jobs that were acted on'),
    skipped: WholeNumber('Jobs that had moved on'),
    skippedBy: Counts('Their number by the state they were in, `changed` or `gone`'),
    failed: WholeNumber('Jobs that could not be acted on'),
    failedBy: Counts('Their number by the code of why'),
    failures: Type.Array(Type.Object({ id: Type.String(), code: Type.String() }), {
      description: 'The first of these jobs',
    }),
  },
  { description: 'What an action on many jobs has done so far' },
);
export type ActionProgress = Static<typeof ActionProgress>;

/** A job as its owner sees it. */
export const JobView = Type.Object(
  {
    ...JobSummaryView.properties,
    payload: Type.Unsafe<unknown>({ description: 'Request that it was made from' }),
    result: Type.Unsafe<unknown>({ description: 'Its result, once it has succeeded; else null' }),
    waits_for: Type.Optional(WaitsFor),
    parent: Type.Optional(
      Type.Object(JobParent.properties, {
        title: 'JobParent',
        description: 'Its parent, and which of the children it is; missing for a job without one',
      }),
    ),
    progress: Type.Optional(
      Type.Object(ActionProgress.properties, {
        title: 'ActionProgress',
        description: 'Of an action on many jobs: what it has done so far, or had done when it was cancelled or failed',
      }),
    ),
    warning: Type.Optional(
      Type.String({
        description:
          'Reason why it is not started, in a sentence: no running worker consumes its queue; or that its payload or result is lost',
      }),
    ),
  },
  { $id: 'Job', title: 'Job', description: 'One piece of accepted work' },
);
export type JobView = Static<typeof JobView>;

export function jobView(
  job: Job,
  { warning, progress }: { readonly warning?: string | undefined; readonly progress?: ActionProgress | null } = {},
): JobView {
  return {
    ...jobSummaryView(job),
    payload: job.payload,
    result: job.result ?? null,
    ...(progress && { progress }),
    ...(warning !== undefined && { warning }),
  };
}

export function jobSummaryView(job: JobSummary): JobSummaryView {
  return {
    id: job.id,
    kind: 'job',
    owner: job.owner,
    queue: job.queue,
    version: job.version,
    state: job.state,
    status: job.state,
    priority: job.priority,
    attempt: job.attempt,
    failures: job.failures,
    held: job.held,
    events: job.events,
    error: job.error,
    group: job.group,
    metadata: job.metadata ?? null,
    receipt: job.receipt,
    idempotency_key: job.idempotencyKey,
    parent_id: job.parentId,
    approval_id: job.approvalId,
    created_at: job.createdAt.toISOString(),
    queued_at: job.queuedAt.toISOString(),
    run_at: job.runAt.toISOString(),
    expires_at: job.expiresAt?.toISOString() ?? null,
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    url: jobPath(job.id),
    links: { self: jobPath(job.id), events: `${jobPath(job.id)}/events`, websocket: `/ws/v1/jobs/${job.id}` },
  };
}

export function jobPath(id: string): string {
  return `/v1/jobs/${id}`;
}
