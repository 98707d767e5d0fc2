import { Type } from 'typebox';
import { waitKinds } from '#src/jobs/model/states.ts';
import type { StreamDescription } from './asyncapi.ts';

const by = Type.Object({
  by: Type.Optional(
    Type.String({ description: 'Owner of the key that requested it; of an action on many jobs the key or the person' }),
  ),
  action: Type.Optional(
    Type.String({ format: 'uuid', description: 'Job of the action on many jobs that this was a part of' }),
  ),
});
const anything = Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Depends on the queue' });

const waitedFor = Type.Object(
  {
    kind: Type.Enum([...waitKinds], { type: 'string', description: 'A time, a signal, or the end of a child' }),
    name: Type.String({ description: 'Name of the step that the end of the wait becomes' }),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'When the job goes on at the latest' })),
    child: Type.Optional(Type.String({ format: 'uuid', description: 'The child that it waits for' })),
  },
  { description: 'What the job waits for' },
);

/** The stream of one job; a final event closes it. */
export const jobStreamDescription: StreamDescription = {
  name: 'job',
  title: 'Events of one job',
  description:
    'Durable events carry an id and are replayed after a reconnect; progress does not. `reset` carries the job as its snapshot. The last event closes the stream.',
  sse: '/v1/jobs/{id}/events',
  websocket: '/ws/v1/jobs/{id}',
  parameters: { id: 'The job' },
  events: {
    queued: { summary: 'Accepted, and waiting for a worker', data: anything },
    awaiting_approval: { summary: 'Accepted, and waiting for a decision', data: anything },
    started: { summary: 'An attempt has begun', data: anything },
    progress: { summary: 'Progress; the newest of each key counts', data: anything, transient: true },
    retrying: { summary: 'An attempt has failed; another follows', data: anything },
    released: {
      summary: 'Back in its queue without losing an attempt; for the reason `woken` when a wait is over',
      data: anything,
    },
    waiting: {
      summary: 'Suspended until a time, a signal or the end of a child; no worker holds it',
      data: Type.Object({
        attempt: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: 'The attempt that ended by it; none of a job that waits for others before it begins',
          }),
        ),
        on: Type.Optional(waitedFor),
      }),
    },
    replaced: { summary: 'Another submit under its unique key gave it a new payload and new times', data: anything },
    unfolded: {
      summary: 'A flow has begun, or begins again: its nodes, and how many of them have succeeded before',
      data: Type.Object({ nodes: Type.Integer({ minimum: 1 }), kept: Type.Integer({ minimum: 0 }) }),
    },
    node: {
      summary: 'A node of the flow has begun or ended',
      data: Type.Object({
        node: Type.String({ description: 'Its name' }),
        state: Type.String({ description: 'Its state now' }),
        jobs: Type.Optional(Type.Integer({ description: 'Number of its jobs, once that is known' })),
      }),
    },
    signalled: {
      summary: 'A signal for the job was kept; a wait for its name takes it, now or later',
      data: Type.Object({ name: Type.String({ description: 'Name of the signal' }) }),
    },
    succeeded: {
      summary: 'Done; the last event',
      data: Type.Object({ result: Type.Unsafe<unknown>({ description: 'Result of the job' }) }),
    },
    failed: { summary: 'Given up; the last event, unless an operator redrives the job', data: anything },
    cancelled: {
      summary: 'Cancelled; the last event',
      data: Type.Object({
        ...by.properties,
        reason: Type.Optional(Type.String({ description: 'Why, where no caller asked for it' })),
      }),
    },
    redriven: { summary: 'A failed job went back into its queue', data: by },
    reprioritised: {
      summary: 'It got another priority while it waited',
      data: Type.Interface([by], {
        priority: Type.Integer({ minimum: 0, maximum: 1_000, description: 'The new one' }),
      }),
    },
  },
};
