import { defineJob } from '@proofline/worker';
import Type, { type Static } from 'typebox';
import { notify } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { type Floors, openFloors } from '#bench/lib/floors.ts';

/** The trivial job of the benchmark, as an application defines its own. */
export const nothing = defineJob({
  name: 'bench.do-nothing',
  title: 'Does nothing',
  payload: Type.Object({ text: Type.String() }),
  result: Type.Object({ ok: Type.Boolean() }),
  run: () => ({ ok: true }),
});

const Times = Type.Object({ step: Type.Number(), commit: Type.Number(), request: Type.Number() });
/** Milliseconds of one step, and of a bare commit and a bare request right after it: 0 where they are not measured. */
export type Times = Static<typeof Times>;

/** Keeps steps one after the other; its result are the times of each. */
const keepSteps = defineJob({
  name: 'bench.keep-steps',
  title: 'Keeps steps',
  payload: Type.Object({
    steps: Type.Integer(),
    floors: Type.Optional(Type.Object({ database: Type.String(), api: Type.String() })),
  }),
  result: Type.Array(Times),
  run: async ({ payload: { steps, floors }, step }) => {
    const bare = floors && (await floorsOf(floors));
    const times: Times[] = [];
    for (let index = 0; index < steps; index++) {
      const one = await timed(async () => void (await step(`step ${index}`, () => index)));
      const commit = bare ? await timed(bare.commit) : 0;
      const request = bare ? await timed(bare.request) : 0;
      times.push({ step: one, commit, request });
    }
    notify({ times });
    return times;
  },
});

let opened: Promise<Floors> | undefined;

/** One connection a process. */
async function floorsOf({ database, api }: { readonly database: string; readonly api: string }): Promise<Floors> {
  opened ??= openFloors(database, api);
  return await opened;
}

async function timed(run: () => Promise<void>): Promise<number> {
  const from = now();
  await run();
  return now() - from;
}

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
