import { type Static, Type } from 'typebox';
import { checkWith, misfit } from '#queues/misfit.ts';
import { TakenQueue } from '#src/http/views/worker-view.ts';
import { Report, ReportAnswer } from '#src/jobs/workers/report-body.ts';
import { Count, OptionalText, Time } from '#src/lib/validation/schema-parts.ts';

export const RegisterBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'For people: where it runs; `worker` without one' }),
    ),
    queues: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 3, maxLength: 100, description: 'One of your queues' }),
          versions: Type.Optional(TakenQueue.properties.versions),
        },
        { additionalProperties: false, description: 'A queue, with the versions that it takes: all there are without' },
      ),
      { minItems: 1, maxItems: 100, description: 'Queues that it takes jobs of; it is handed no others' },
    ),
    capacity: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Jobs that it runs at once' }),
    sdk: Type.Optional(Type.String({ maxLength: 100, description: 'Library and release that it runs on' })),
  },
  { additionalProperties: false, description: 'A process elsewhere that is to be handed jobs' },
);
export type RegisterBody = Static<typeof RegisterBody>;

export const Registered = Type.Object(
  {
    worker: Type.String({ format: 'uuid', description: 'Names it from now on' }),
    lease_ms: Count('Without a poll for so long it is taken for dead, and its jobs go to others'),
    beat_ms: Count('Time between two polls at the most'),
    wait_ms: Count('Longest wait of a poll'),
    queues: Type.Array(TakenQueue, { description: 'Queues and versions that it is handed' }),
  },
  { $id: 'RegisteredWorker', title: 'RegisteredWorker', description: 'A lease' },
);

const InHand = {
  id: Type.String({ format: 'uuid', description: 'The job' }),
  attempt: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Number of the attempt' }),
};

export const PollBody = Type.Object(
  {
    credits: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description: 'Hands it has free: no more jobs are handed out',
    }),
    wait_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60_000,
        description: 'Longest wait; at most, and without one, its `wait_ms`',
      }),
    ),
    jobs: Type.Array(Type.Object(InHand, { additionalProperties: false }), {
      maxItems: 2_000,
      description: 'Everything it has in hand, also what its last report has not been answered for',
    }),
  },
  { additionalProperties: false, description: 'A beat, and a wish for jobs' },
);
export type PollBody = Static<typeof PollBody>;

export const Polled = Type.Object(
  {
    jobs: Type.Array(
      Type.Object({
        ...InHand,
        queue: Type.String({ description: 'Its queue' }),
        version: Type.Integer({ description: 'Version of its contract' }),
        token: Type.String({ format: 'uuid', description: 'Names the attempt in every report' }),
        payload: Type.Unsafe<unknown>({ description: 'What is to be done' }),
        failures: Count('Attempts that have failed'),
        created_at: Time('When it was accepted'),
        deadline: Time('When the attempt is ended by the time its contract allows'),
        steps: Type.Array(
          Type.Object({
            name: Type.String({ description: 'Its name' }),
            n: Count('Rises in the order in which steps ended, from 1'),
            kind: Type.Enum(['step', 'child', 'sleep', 'signal', 'result'], {
              type: 'string',
              description: 'Its kind',
            }),
            after: Count('Steps that had ended when it began'),
            value: Type.Unsafe<unknown>({ description: 'What it gave' }),
          }),
          { description: 'What earlier attempts have done' },
        ),
        trace: OptionalText('W3C trace context of its submission'),
      }),
      { description: 'Jobs that are its own from now on' },
    ),
    stop: Type.Array(
      Type.Object({
        ...InHand,
        reason: Type.Enum(['cancelled', 'lost'], {
          type: 'string',
          description: 'It was cancelled; or it ended otherwise, or is with another worker',
        }),
      }),
      { description: 'What it has in hand and is to stop' },
    ),
  },
  { $id: 'PolledJobs', title: 'PolledJobs', description: 'Answer to a poll' },
);

export const ReportsBody = Type.Object(
  { reports: Type.Array(Report, { minItems: 1, maxItems: 1_000, description: 'In the order in which they happened' }) },
  { additionalProperties: false, description: 'What has become of attempts' },
);

/** The list alone: each report is checked by itself, so that a wrong one fails none beside it. */
export const ReportList = Type.Object(
  { reports: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 1_000 }) },
  { additionalProperties: false },
);
export type ReportList = Static<typeof ReportList>;

checkWith(ReportsBody, (value) => misfit(ReportList, value));

export const ReportAnswers = Type.Object(
  { answers: Type.Array(ReportAnswer, { description: 'One a report, in their order' }) },
  { $id: 'ReportAnswers', title: 'ReportAnswers', description: 'Answer to reports' },
);

export const WorkerList = Type.Object({
  data: Type.Array(Type.Ref('WorkerView'), { description: 'The oldest first' }),
});
