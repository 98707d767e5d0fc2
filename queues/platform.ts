import { Type } from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });

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
