import Type from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

/** How long a batch may take, in hours: what is not done then is given up. */
export const batchWindowHours = 24;

/**
 * Carries out the requests of a file, each as a child job. One job for all of its day: it waits for its children almost
 * all the time and holds a place of its own queue alone, so it starves nobody; a drain or a lost worker hands it on
 * without counting, and whoever takes it up reads which lines are over. The two hours beyond the window are for the
 * files that are written at the end. Its failures are those of our own servers, and may be many in a day.
 */
export const batch = defineQueue({
  name: 'platform.batch',
  title: 'Carry out the requests of a file',
  payload: Type.Object(
    {
      file: Id,
      /** Of the file, lower-case hexadecimal. */
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** Of the file, bytes. */
      size: Count,
      /** What all lines ask for, below `/api/v2`; null where each says so itself. */
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
 * Tells an address that a job has ended. With full jitter its 23 waits (5 s, doubling up to 15 min) are two hours together
 * on average, and below one hour about once in ten thousand times.
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
