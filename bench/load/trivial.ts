import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { defineQueue } from '#queues/define.ts';
import { handler } from '#workers/run/processor.ts';

export const TrivialPayload = Type.Object({
  text: Type.String(),
  /** Its first attempt waits until it is stopped. */
  hold: Type.Optional(Type.Boolean()),
  /** It rests for so long, as one that waits for others would. */
  restMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
});

/** A queue that exists only in the benchmark: its jobs do nothing. */
export const trivial = defineQueue({
  name: 'bench.trivial',
  title: 'Does nothing',
  payload: TrivialPayload,
  result: Type.Object({ ok: Type.Boolean() }),
  progress: Type.Object({}),
  timeoutMs: 600_000,
});

/** The same, with a fleet of its own. */
export const apart = defineQueue({ ...trivial, name: 'bench.apart' });

/** About 300 bytes, for every system the same. */
export const payload = { text: 'x'.repeat(280) };

const handlerOf = (queue: typeof trivial) =>
  handler(queue, async ({ payload: { hold, restMs = 0 }, attempt, signal }) => {
    if (restMs > 0) await sleep(restMs);
    if (hold && attempt === 1)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    return { ok: true };
  });

export const handlers = [handlerOf(trivial), handlerOf(apart)];
