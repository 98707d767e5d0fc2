import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineJob, JobError, type JobStopped } from '@proofline/worker';
import Type from 'typebox';

/** A line in the file that the test reads: what really happened, in whichever process. */
const note = (...words: readonly (string | number)[]) =>
  appendFileSync(process.env['NOTES'] ?? '/dev/null', `${words.join(' ')}\n`);

/** A child of a story. */
export const double = defineJob({
  name: 'acme.double-number',
  payload: Type.Integer(),
  result: Type.Integer(),
  run: ({ payload }) => payload * 2,
});

/** A story with all that a story can have. */
export const story = defineJob({
  name: 'acme.tell-story',
  payload: Type.Object({ n: Type.Integer() }),
  result: Type.Object({ first: Type.Integer(), doubled: Type.Integer(), sent: Type.String(), heard: Type.Unknown() }),
  progress: Type.Object({ percent: Type.Number() }),
  attempts: 1,
  backoff: 0,
  run: async ({ payload, job, step, effect, sleep: wait, waitFor, submit, result, progress, log }) => {
    const first = await step('first', () => payload.n + 1);
    progress({ percent: 50 });
    log.info('half way', { n: payload.n });
    const sent = await effect('send', { n: payload.n }, ({ key }) => {
      note('sent', key);
      return `sent ${payload.n}`;
    });
    await wait('a moment', 20);
    const child = await submit(double, first, { name: 'child' });
    const heard = await waitFor('go', { timeout: '1h' });
    note('heard', job.id);
    return { first, doubled: await result(child), sent, heard };
  },
});

/** Three steps that take their time, with a wait between: killed workers meet it everywhere. */
export const slowStory = defineJob({
  name: 'acme.tell-slowly',
  payload: Type.Object({ n: Type.Integer() }),
  result: Type.Integer(),
  attempts: 1,
  backoff: 0,
  run: async ({ payload, job, step, effect, sleep: wait }) => {
    let sum = payload.n;
    for (const name of ['one', 'two', 'three']) {
      sum += await step(name, async () => {
        note('run', job.id, name);
        note('by', process.pid);
        await sleep(60);
        return 1;
      });
      note('kept', job.id, name);
      if (name === 'two') await wait('a moment', 50);
    }
    await effect('send', { n: payload.n }, ({ key }) => note('sent', key), { kind: 'idempotent' });
    return sum;
  },
});

/** Does what its payload says. */
export const obey = defineJob({
  name: 'acme.obey',
  payload: Type.Object({ do: Type.String() }),
  result: Type.Object({ attempt: Type.Integer(), pid: Type.Integer() }),
  attempts: 2,
  backoff: 0,
  run: async ({ payload, signal, attempt, job }) => {
    note(payload.do, job.id, attempt, process.pid);
    if (payload.do === 'fail')
      throw new JobError('no_image', 'There is no image.', { retryable: false, details: { attempt } });
    if (payload.do === 'write no JSON') return { big: 1n } as never;
    if (payload.do === 'misfit') return 'a text' as never;
    if (payload.do === 'die' && attempt === 1) process.kill(process.pid, 'SIGKILL');
    if (payload.do === 'hold' && attempt === 1) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      note('stopped', job.id, (signal.reason as JobStopped).reason);
    }
    return { attempt, pid: process.pid };
  },
});

/** Does something outside once the test has left a file, which it does while Postgres is away. */
export const persist = defineJob({
  name: 'acme.persist',
  payload: true,
  result: Type.String(),
  attempts: 1,
  run: async ({ effect, job }) => {
    note('begun', job.id);
    while (!existsSync(`${process.env['NOTES']}.go`)) await sleep(10);
    note('trying', job.id);
    return await effect('send', null, ({ key }) => {
      note('sent', key);
      return 'sent';
    });
  },
});

/** Takes longer than it may. */
export const dawdle = defineJob({
  name: 'acme.dawdle',
  payload: true,
  attempts: 1,
  timeout: 200,
  run: async ({ signal, job }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    note('stopped', job.id, (signal.reason as JobStopped).reason);
  },
});

/** The second version of a contract, which takes payloads of the first too. */
export const greet = [
  defineJob({
    name: 'acme.greet',
    payload: Type.Object({ name: Type.String() }),
    result: Type.String(),
    run: ({ payload }) => `hello ${payload.name}`,
  }),
  defineJob({
    name: 'acme.greet',
    version: 2,
    payload: Type.Object({ first: Type.String(), last: Type.String() }),
    result: Type.String(),
    upcasts: [{ from: 1, upcast: ({ name }: { name: string }) => ({ first: name, last: 'Old' }) }],
    run: ({ payload }) => `hello ${payload.first} ${payload.last}`,
  }),
] as const;

/** Jobs by the word that names them to a program. */
export const kinds = {
  stories: [story, double],
  slow: [slowStory],
  obey: [obey, dawdle, persist],
  greet: [greet[1]],
} as const;
