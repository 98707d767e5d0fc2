import Type from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);

/**
 * Acts on many jobs, some after the other at a stated rate. It goes on where it was after any crash: what is over is kept
 * with each batch. A million jobs at ten a second take more than a day.
 */
export const act = defineQueue({
  name: 'jobs.act',
  title: 'Act on many jobs',
  payload: Type.Object(
    {
      /** The preview whose jobs it is about. */
      actionId: Type.String({ format: 'uuid' }),
      action: Type.Enum(['cancel', 'redrive', 'expire', 'reprioritise'], { type: 'string' }),
      priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
      /** Number of previewed jobs. */
      jobs: Count,
      /** Jobs a second. */
      rate: Type.Integer({ minimum: 1 }),
      /** Key or person who has begun it. */
      by: Type.String(),
      /** For readers: the selection that was previewed. */
      selection: Type.Record(Type.String(), Type.Unknown()),
    },
    strict,
  ),
  result: Type.Object(
    {
      action: Type.String(),
      jobs: Count,
      done: Count,
      /** Jobs that had moved on. */
      skipped: Count,
      /** Their number by the state they were in; `changed`: it no longer fits; `gone`: it is forgotten. */
      skippedBy: Counts,
      /** Jobs that could not be moved. */
      failed: Count,
      failedBy: Counts,
      /** The first of them. */
      failures: Type.Array(Type.Object({ job: Type.String(), code: Type.String() }, strict)),
    },
    strict,
  ),
  progress: Type.Object({ stage: Type.String(), done: Count, of: Count, skipped: Count, failed: Count }, strict),
  attempts: 50,
  backoffMs: 1_000,
  timeoutMs: 48 * 3_600_000,
});
