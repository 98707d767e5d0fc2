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

/** Begins a fan-out: a text for each of its jobs. */
const listTexts = defineJob({
  name: 'bench.list-texts',
  title: 'Lists texts',
  payload: Type.Object({ count: Type.Integer() }),
  result: Type.Object({ texts: Type.Array(Type.String()) }),
  run: ({ payload: { count } }) => ({ texts: Array.from({ length: count }, (_, n) => `text ${n}`) }),
});

/** Ends a fan-out: gets all of its results. */
const countResults = defineJob({
  name: 'bench.count-results',
  title: 'Counts results',
  payload: Type.Object({ all: Type.Array(Type.Object({ ok: Type.Boolean() })) }),
  result: Type.Object({ count: Type.Integer() }),
  run: ({ payload: { all } }) => ({ count: all.filter(({ ok }) => ok).length }),
});

/** Every queue that an application brings to the benchmark. */
export const openJobs = [nothing, keepSteps, awaitSignal, listTexts, countResults];
