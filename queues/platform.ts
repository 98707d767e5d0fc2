import Type, { type Static } from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

/** Longest time of a batch, in hours: lines that are not done then are given up. */
export const batchWindowHours = 24;

/**
 * Carries out the requests of a file, each as a child job. One job for all of its day: it waits for its children almost
 * all the time and holds a place of its own queue alone, so it starves no other job; a drain or a lost worker hands it
 * on without counting, and the worker that takes it up reads which lines are over. The two hours beyond the window are
 * for the files that are written at the end. Its failures are those of our own servers, and may be many in a day.
 */
export const batch = defineQueue({
  name: 'platform.batch',
  title: 'Carry out the requests of a file',
  payload: Type.Object(
    {
      file: Id,
      /** SHA-256 of the file, lower-case hexadecimal. */
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** Size of the file, bytes. */
      size: Count,
      /** Endpoint of all lines, below `/api/v2`; null where each names its own. */
      endpoint: nullable(Type.String({ maxLength: 200 })),
      metadata: nullable(Type.Record(Type.String(), Type.String())),
      /** Seconds that the files of results are kept; null for as long as any. */
      outputSeconds: nullable(Type.Integer({ minimum: 1 })),
      keyId: nullable(Id),
    },
    strict,
  ),
  result: Type.Object(
    {
      status: Type.Enum(['completed', 'expired', 'cancelled'], { type: 'string' }),
      total: Count,
      completed: Count,
      failed: Count,
    },
    strict,
  ),
  progress: Type.Object({ stage: Type.String(), done: Count, of: Count }, strict),
  attempts: 50,
  backoffMs: 1_000,
  timeoutMs: (batchWindowHours + 2) * 3_600_000,
});

/**
 * Tells an address that a job has ended. With full jitter its 23 waits (5 s, doubling up to 15 min) are two hours
 * together on average, and below one hour about once in ten thousand times.
 */
export const notify = defineQueue({
  name: 'platform.notify',
  title: 'Tell an address that work has ended',
  payload: Type.Object({ deliveryId: Id }, strict),
  result: Type.Object({ status: Type.Integer() }, strict),
  progress: Type.Object({ stage: Type.String() }, strict),
  attempts: 24,
  backoffMs: 5_000,
  backoffCapMs: 15 * 60_000,
  timeoutMs: 60_000,
});

/**
 * Makes one attempt to deliver each message of a batch to their endpoint. Their rows say when the next one is due, so an
 * attempt that the receiver refuses is no failure of the job.
 */
export const deliver = defineQueue({
  name: 'platform.deliver',
  title: 'Send notifications to an endpoint',
  payload: Type.Object({ endpoint: Id, batch: Id }, strict),
  result: Type.Object(
    {
      /** Messages that the receiver took, and that it did not take. The rest was given back. */
      delivered: Type.Integer({ minimum: 0 }),
      failed: Type.Integer({ minimum: 0 }),
    },
    strict,
  ),
  progress: Type.Object({ stage: Type.String() }, strict),
  attempts: 3,
  timeoutMs: 60_000,
  // the delivery has what came of it
  retention: { ms: 3_600_000 },
});

/** Whole message of a turn. */
export const TextMessageResult = Type.Object(
  {
    content: nullable(Type.String()),
    refusal: nullable(Type.String()),
    toolCalls: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), arguments: Type.String() }, strict)),
  },
  strict,
);
export type TextMessageResult = Static<typeof TextMessageResult>;

/** Result of a turn. */
export const TextResult = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    finish: Type.Enum(['stop', 'length', 'tool_calls', 'content_filter'], { type: 'string' }),
    /** Null where the provider does not say. */
    usage: nullable(
      Type.Object(
        {
          inputTokens: Count,
          outputTokens: Count,
          cachedTokens: Type.Optional(Count),
          reasoningTokens: Type.Optional(Count),
        },
        strict,
      ),
    ),
    /** Millionths of a dollar, of every provider that was paid. */
    costMicroUsd: Count,
    /** Null for an answer that was streamed to the waiting caller, and that cannot be requested again. */
    message: nullable(TextMessageResult),
  },
  strict,
);
export type TextResult = Static<typeof TextResult>;

/** One turn of a provider of text. */
export const respond = defineQueue({
  name: 'platform.respond',
  title: 'Have a provider write one turn of text',
  payload: Type.Object(
    {
      /**
       * A turn as the platform's text engine takes it; null where it runs in the API process of the request, and
       * nowhere else.
       */
      work: nullable(Type.Unsafe<object>({ type: 'object' })),
      keyId: nullable(Id),
      /** True where no caller waits for it. */
      background: Type.Boolean(),
    },
    strict,
  ),
  result: TextResult,
  progress: Type.Object({ stage: Type.String() }, strict),
  attempts: 3,
  timeoutMs: 15 * 60_000,
});
