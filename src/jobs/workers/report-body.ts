import Type, { type Static } from 'typebox';
import { LONGEST_DELAY_MS } from '#queues/define.ts';
import { Delay } from '#queues/delay.ts';
import { Unique } from '#queues/unique.ts';
import { logLevels } from '#src/jobs/log/log-store.ts';
import { ErrorCodeName } from '#src/lib/error-code-schema.ts';

/** Name of a step, an effect or a signal. */
export const StepName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f]+$',
  description: 'Its name, once in a job',
});

const Json = (description: string) => Type.Unsafe<unknown>({ description });

const After = Type.Integer({ minimum: 0, maximum: 10_000, description: 'Steps that had ended when it began' });
const strict = { additionalProperties: false };

/** Reason for which a job waits. */
export const WaitBody = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('sleep', { description: 'For a time' }),
        name: StepName,
        until: Type.String({ format: 'date-time', description: 'When it goes on' }),
      },
      strict,
    ),
    Type.Object(
      {
        kind: Type.Literal('signal', { description: 'For `POST /v1/jobs/{id}/signals/{name}`' }),
        name: StepName,
        timeout_ms: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 3_162_240_000_000, description: 'Longest wait; none without it' }),
        ),
      },
      strict,
    ),
    Type.Object(
      {
        kind: Type.Literal('result', { description: 'For the end of a child' }),
        name: StepName,
        child: Type.String({ format: 'uuid', description: 'A job that this one has submitted' }),
      },
      strict,
    ),
  ],
  { description: 'Reason for which it waits; its end becomes a step of that name' },
);
export type WaitBody = Static<typeof WaitBody>;

const fence = {
  job: Type.String({ format: 'uuid', description: 'The job' }),
  attempt: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Number of the attempt that was handed out',
  }),
  token: Type.String({ format: 'uuid', description: 'Token of the attempt that was handed out' }),
};

const kind = <T extends string, P extends Type.TProperties>(type: T, description: string, properties: P) =>
  Type.Object({ ...fence, type: Type.Literal(type), ...properties }, { additionalProperties: false, description });

export const FailureBody = Type.Object(
  {
    code: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]{0,63}$',
        description: 'The code that programs go by; `job_failed` without one',
      }),
    ),
    message: Type.String({ minLength: 1, maxLength: 4_000, description: 'The failure in a sentence' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'More for machines' })),
  },
  { additionalProperties: false, description: 'Why it failed' },
);

/** Everything that a worker can say of an attempt. */
export const Report = Type.Union(
  [
    kind('progress', 'How far it is; not kept, the newest of a key wins', {
      data: Json('Fits the progress of its contract'),
      key: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: '`progress` without one' })),
    }),
    kind('log', 'A line of its log', {
      level: Type.Enum([...logLevels], { type: 'string', description: 'Its weight' }),
      message: Type.String({
        maxLength: 10_000,
        description:
          'What is said. Kept to 1,000 characters, and its data to 2,000 of JSON; the rest is counted in its place',
      }),
      data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'More for machines' })),
    }),
    kind('effect_intended', 'It is about to do something outside: kept before it is done', {
      name: StepName,
      request: Json('What it is about to send; the same each time'),
    }),
    kind('effect_done', 'It has done it', {
      name: StepName,
      outcome: Json('What came of it'),
      external_id: Type.Optional(Type.String({ maxLength: 500, description: 'Its name at the provider' })),
      cost_usd: Type.Optional(
        // checked with the report: a wrong one must not refuse the reports beside it
        Json(
          'Its cost in dollars, a number from 0 to 1,000,000, by which the reservation of a job with a budget is settled',
        ),
      ),
    }),
    kind('effect_failed', 'The provider certainly did not do it: it may be tried again', {
      name: StepName,
      message: Type.String({ minLength: 1, maxLength: 4_000, description: 'Why, in a sentence' }),
    }),
    kind('effect_unknown', 'Whether it was done cannot be found out: it is not tried again unless a person says so', {
      name: StepName,
    }),
    kind('step', 'A part of it is done: kept once, and handed out with the job again', {
      name: StepName,
      after: After,
      value: Json('What it gave, at most 1 MiB'),
    }),
    kind('submit', 'It wants a child: submitted once by its name, with this job as its parent', {
      name: StepName,
      after: After,
      queue: Type.String({ minLength: 3, maxLength: 100, description: 'One of your queues' }),
      payload: Json('Fits the payload of its contract'),
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The newest without one' })),
      delay_ms: Type.Optional(
        Type.Integer({ minimum: 0, maximum: LONGEST_DELAY_MS, description: 'Earliest time of its run, from now' }),
      ),
      delay: Type.Optional(Delay),
      priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: '0 runs first, 1000 last' })),
      metadata: Type.Optional(
        Type.Record(Type.String({ maxLength: 100 }), Type.Unsafe<unknown>({}), {
          maxProperties: 50,
          description: 'Your own words about it, given back as they came',
        }),
      ),
      unique: Type.Optional(Unique),
    }),
    kind('suspended', 'The attempt is over, and the job waits without a process', { on: WaitBody, after: After }),
    kind('succeeded', 'The attempt is over, with a result', {
      result: Json('Fits the result of its contract; at most 16 MiB of JSON'),
    }),
    kind('failed', 'The attempt is over, without one', {
      error: FailureBody,
      retryable: Type.Optional(
        Type.Boolean({
          description: 'Whether another attempt may help, where its contract has one left; true by default',
        }),
      ),
    }),
    kind('released', 'It is given back without having lost an attempt', {}),
  ],
  { description: 'One message of a worker about an attempt that it has in hand' },
);
export type Report = Static<typeof Report>;
export type ReportOf<T extends Report['type']> = Extract<Report, { type: T }>;

/** Answer to one report. */
export const ReportAnswer = Type.Object(
  {
    status: Type.Enum(['accepted', 'stale', 'refused'], {
      type: 'string',
      description:
        'Taken; or no longer this worker’s attempt, or one that has ended, which is to be stopped; or wrong in itself',
    }),
    code: Type.Optional(ErrorCodeName('Of a refusal')),
    message: Type.Optional(Type.String({ description: 'Why, in a sentence' })),
    path: Type.Optional(Type.String({ description: 'Place of the fault in what was reported, as a JSON pointer' })),
    value: Type.Optional(Type.Unsafe<unknown>({ description: 'Of a step: what is kept, the first that was said' })),
    child: Type.Optional(Type.String({ format: 'uuid', description: 'Of a submit: the child' })),
    effect: Type.Optional(
      Type.Object(
        {
          state: Type.Enum(['fresh', 'done', 'again', 'unknown'], {
            type: 'string',
            description:
              'To be done now; done before; meant before by an attempt whose outcome is not known; given up as unknown',
          }),
          key: Type.String({ description: 'The same at every try: for providers that take an idempotency key' }),
          outcome: Type.Optional(Type.Unsafe<unknown>({ description: 'What came of it before' })),
          external_id: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'Its name there' })),
        },
        {
          description: 'State of an intended effect; of an outcome: the one that stands, where another was kept first',
        },
      ),
    ),
  },
  { description: 'Answer to one report' },
);
export type ReportAnswer = Static<typeof ReportAnswer>;
