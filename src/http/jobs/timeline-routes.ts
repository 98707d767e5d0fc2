import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { dependencyPolicies } from '#src/jobs/model/dependencies.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { childPlace, JobParent } from '#src/jobs/model/job-parent.ts';
import { JobFailure, JobSummaryView, jobPath, jobSummaryView } from '#src/jobs/model/job-view.ts';
import { attemptOutcomes, readTimeline, stepKinds } from '#src/jobs/read/read-timeline.ts';
import { Count, OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';
import { ownJob } from './own-job.ts';

const Timeline = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        n: Type.Integer({ minimum: 1, description: 'Its number, without a gap from 1' }),
        type: Type.String({ description: 'Type of the event, as in the stream of the job' }),
        at: Time('When'),
        data: Type.Record(Type.String(), Type.Unsafe<unknown>({}), { description: 'Depends on the type' }),
      }),
      { description: 'The newest thousand, the oldest of them first; the result is read with the job' },
    ),
    attempts: Type.Array(
      Type.Object({
        attempt: Count('Its number'),
        started_at: Time('When it began'),
        ended_at: OptionalTime('When it was over'),
        worker: OptionalText('The worker that ran it, as GET /v1/fleets names it while it lives'),
        outcome: Type.Enum([...attemptOutcomes], {
          type: 'string',
          description:
            'Outcome; `released` counts for nothing: its worker was stopped or lost. `suspended`: the job began to wait',
        }),
        error: Type.Union([JobFailure, Type.Null()], { description: 'Why it failed' }),
      }),
      { description: 'Attempts that these events are about, the oldest first' },
    ),
    steps: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Its name within the job' }),
        kind: Type.Enum([...stepKinds], {
          type: 'string',
          description:
            '`step` kept a value, `child` submitted a job; `sleep`, `signal` and `result` waited for a time, for a signal of this name, and for the end of a child',
        }),
        child: OptionalText('The child that was submitted, or that the job waits for now'),
        since: OptionalTime('When the wait began; null for what is no wait'),
        until: OptionalTime('When the job goes on at the latest, while it waits; null without such a time'),
        at: OptionalTime('When it was kept; null for what the job waits for now'),
      }),
      { description: 'The newest thousand steps, the oldest of them first; what the job waits for now comes last' },
    ),
    signals: Type.Array(
      Type.Object({
        name: Type.String({ description: 'That of the wait which takes it' }),
        at: Time('When it came'),
        taken_at: OptionalTime('When a wait took it; null while none has'),
      }),
      { description: 'The newest thousand signals that the job got, the oldest of them first' },
    ),
    effects: Type.Array(
      Type.Object({
        effect: Type.String({ description: 'Its name within the job' }),
        state: Type.Enum(['intended', 'done', 'failed', 'unknown'], {
          type: 'string',
          description: 'State of the effect; `unknown` waits for a human',
        }),
        attempt: Count('The attempt that meant it'),
        external_id: OptionalText('The provider’s own name of it'),
        intended_at: Time('When it was meant, which is before it was done'),
        decided_at: OptionalTime('When its outcome was known'),
      }),
      { description: 'Effects that the job had outside, or intended' },
    ),
    depends_on: Type.Array(
      Type.Object({
        job_id: Type.String({ description: 'The job' }),
        state: Type.Union([Type.Enum(['succeeded', 'failed', 'cancelled'], { type: 'string' }), Type.Null()], {
          description: 'How it has ended; null while it has not',
        }),
        on_failure: Type.Enum([...dependencyPolicies], {
          type: 'string',
          description: 'Where it does not succeed: `fail` this job, or `continue`',
        }),
      }),
      { description: 'Jobs that it was submitted to wait for' },
    ),
    children: Type.Array(
      Type.Object({ ...JobSummaryView.properties, ...childPlace }, { title: 'JobChild', description: 'A child job' }),
      { description: 'The first hundred jobs that it submitted, each with its place among them' },
    ),
    parent: Type.Union([JobParent, Type.Null()], {
      description: 'The job that submitted it, and which of its children it is; null for none',
    }),
    receipt: OptionalText('Path of the receipt that seals what it did; null while there is none'),
    logs: Type.String({ description: 'Path of what it said while it ran' }),
  },
  { title: 'JobTimeline' },
);

interface TimelineOptions {
  readonly context: Context;
  /** The id of the receipt that seals what a job did. */
  readonly receiptOf: (job: Job) => Promise<string | null>;
}

/** Routes for the timeline of a job, from its acceptance to its receipt. */
export const timelineRoutes: FastifyPluginAsyncTypebox<TimelineOptions> = async (app, { context, receiptOf }) => {
  app.get(
    '/v1/jobs/:id/timeline',
    {
      schema: {
        tags: ['jobs'],
        summary: 'Read the history of a job',
        operationId: 'readTimeline',
        params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The job' }) }),
        response: { 200: Timeline },
      },
    },
    async (request) => {
      const job = await ownJob(context, request, request.params.id);
      const [{ events, attempts, steps, signals, effects, dependsOn, children, parent }, receipt] = await Promise.all([
        readTimeline(context, job),
        receiptOf(job),
      ]);
      return {
        events: events.map(({ at, ...event }) => ({ ...event, at: at.toISOString() })),
        attempts: attempts.map(({ attempt, startedAt, endedAt, worker, outcome, error }) => ({
          attempt,
          started_at: startedAt.toISOString(),
          ended_at: endedAt?.toISOString() ?? null,
          worker,
          outcome,
          error,
        })),
        steps: steps.map(({ since, until, at, ...step }) => ({
          ...step,
          since: since?.toISOString() ?? null,
          until: until?.toISOString() ?? null,
          at: at?.toISOString() ?? null,
        })),
        signals: signals.map(({ name, at, takenAt }) => ({
          name,
          at: at.toISOString(),
          taken_at: takenAt?.toISOString() ?? null,
        })),
        effects: effects.map(({ effect, state, attempt, externalId, intendedAt, decidedAt }) => ({
          effect,
          state,
          attempt,
          external_id: externalId,
          intended_at: intendedAt.toISOString(),
          decided_at: decidedAt?.toISOString() ?? null,
        })),
        depends_on: dependsOn.map(({ job: id, state, onFailure }) => ({ job_id: id, state, on_failure: onFailure })),
        children: children.map((child) => ({
          ...jobSummaryView(child),
          node: child.node,
          item: child.item,
          step: child.step,
        })),
        parent,
        receipt: receipt === null ? null : `/api/v1/receipts/${receipt}`,
        logs: `${jobPath(job.id)}/logs`,
      };
    },
  );
};
