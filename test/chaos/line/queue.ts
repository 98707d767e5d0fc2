import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { defineQueue } from '#queues/define.ts';
import { handler } from '#workers/run/processor.ts';

/** A queue that stands in line. */
export const standing = defineQueue({
  name: 'chaos.standing',
  title: 'Sleeps a moment',
  payload: Type.Object({ ms: Type.Integer() }),
  result: Type.Object({ attempt: Type.Integer() }),
  progress: Type.Object({}),
  attempts: 6,
  backoffMs: 20,
  backoffCapMs: 200,
  timeoutMs: 60_000,
});

export const handlers = [
  handler(standing, async ({ payload: { ms }, attempt }) => {
    await sleep(ms);
    return { attempt };
  }),
];
