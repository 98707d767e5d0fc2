import { defineJob } from '@proofline/worker';
import Type from 'typebox';
import { notify } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';

/** The trivial job of the benchmark, as an application defines its own. */
export const nothing = defineJob({
  name: 'bench.do-nothing',
  title: 'Does nothing',
  payload: Type.Object({ text: Type.String() }),
  result: Type.Object({ ok: Type.Boolean() }),
  run: () => ({ ok: true }),
});

/** Keeps steps one after the other; its result are the ms that each took. */
const keepSteps = defineJob({
  name: 'bench.keep-steps',
  title: 'Keeps steps',
  payload: Type.Object({ steps: Type.Integer() }),
  result: Type.Array(Type.Number()),
  run: async ({ payload, step }) => {
    const times: number[] = [];
    for (let index = 0; index < payload.steps; index++) {
      const from = now();
      await step(`step ${index}`, () => index);
      times.push(now() - from);
    }
    notify({ times });
    return times;
  },
});

/** Waits for a signal, and tells when it goes on. */
const awaitSignal = defineJob({
  name: 'bench.await-signal',
  title: 'Waits for a signal',
  payload: Type.Object({}),
  run: async ({ waitFor, job }) => {
    await waitFor('go');
    notify({ resumed: job.id, at: now() });
  },
});

/** Every queue that an application brings to the benchmark. */
export const openJobs = [nothing, keepSteps, awaitSignal];
