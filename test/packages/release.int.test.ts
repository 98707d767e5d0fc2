import { type AnyJob, defineJob, type RunContext } from '@proofline/worker';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testConfig } from '#test/helpers/config.ts';
import { type OpenApi, openApi } from './open-api.ts';

/** A story in the first version of its queue; a release has another `run` of it. */
const story = (run: (context: RunContext) => unknown): AnyJob =>
  defineJob({ name: 'acme.measure-text', payload: { type: 'object' }, run });

/** The next version of the queue, whose payloads those of before do not fit. */
const next = defineJob({
  name: 'acme.measure-text',
  version: 2,
  payload: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ payload }) => payload.text,
});

/** Names of the steps that have run, over all releases. */
function recorder() {
  const ran: string[] = [];
  const keep = (name: string) => () => {
    ran.push(name);
    return name;
  };
  return { ran, keep };
}

/** The same database and broker, and a system over them that is closed at the end of `run`. */
async function systems() {
  const { env, ...database } = await testConfig();
  const settings = { DATABASE_URL: env['DATABASE_URL'] ?? '', REDIS_PREFIX: env['REDIS_PREFIX'] ?? '' };
  return {
    during: async <T>(jobs: readonly AnyJob[], run: (open: OpenApi) => Promise<T>): Promise<T> => {
      await using open = await openApi(settings);
      await open.serve(jobs);
      return await run(open);
    },
    /** Ends the sleep of a job, as its time would. */
    wake: async (id: string) => {
      const client = new pg.Client({ connectionString: settings.DATABASE_URL });
      await client.connect();
      await client.query('update waits set wake_at = now() where job = $1', [id]);
      await client.end();
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Submits jobs of the first version, and waits until all of them wait. */
async function waiting(open: OpenApi, payloads: readonly object[]): Promise<readonly string[]> {
  const jobs = await Promise.all(payloads.map((payload) => open.client.submit('acme.measure-text', payload)));
  for (const job of jobs) await expect.poll(async () => (await job.job()).state).toBe('waiting');
  return jobs.map(({ id }) => id);
}

test('jobs that wait go on after a restart of every process, with a program that has one more step behind the wait', async () => {
  await using all = await systems();
  const { ran, keep } = recorder();
  const wait = async ({ payload, step, sleep, waitFor }: RunContext) => {
    await step('measure', keep('measure'));
    if ((payload as { by?: string }).by === 'time') await sleep('night', '1h');
    else await waitFor('go', { timeout: '1h' });
  };
  const [signalled, slept] = await all.during(
    [story(wait)],
    async (open) => await waiting(open, [{ by: 'signal' }, { by: 'time' }]),
  );
  const released = story(async (context) => {
    await wait(context);
    return await context.step('added', keep('added'));
  });
  await all.during([released, next], async ({ client }) => {
    expect(await (await client.submit(next, { text: 'new' })).result()).toBe('new');
    await client.job(signalled!).signal('go');
    await all.wake(slept!);
    for (const id of [signalled!, slept!]) {
      expect(await client.job(id).result()).toBe('added');
      expect(await client.job(id).job()).toMatchObject({ attempt: 2, failures: 0 });
    }
  });
  expect(ran).toEqual(['measure', 'measure', 'added', 'added']);
});

test('error: a job that waits fails after a release that renamed a step before the wait, and says which', async () => {
  await using all = await systems();
  const { ran, keep } = recorder();
  const measured = (name: string) =>
    story(async ({ step, waitFor }) => {
      await step(name, keep(name));
      return await waitFor('go', { timeout: '1h' });
    });
  const [id] = await all.during([measured('measure')], async (open) => await waiting(open, [{}]));
  await all.during([measured('weigh'), next], async ({ client }) => {
    const job = client.job(id!);
    await job.signal('go');
    await expect(job.result()).rejects.toMatchObject({
      code: 'steps_diverged',
      message: expect.stringContaining(
        'The step measure was done by an earlier release and this one asks for weigh at its place',
      ),
    });
  });
  expect(ran).toEqual(['measure']);
});
