import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit, submitMany } from '#src/jobs/submit/submit.ts';
import { submitTogether } from '#src/jobs/submit/submit-together.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { claimsFor, type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { trial } from '#test/helpers/trial.ts';

type Unique = NonNullable<Parameters<typeof submit<typeof trial>>[2]['unique']>;

const principal = { owner: 'alice' };
const later = () => new Date(Date.now() + 3_600_000);
const asked = (unique: Unique, text = 'first') => ({
  queue: trial,
  submission: { principal, payload: { do: 'succeed' as const, text }, runAt: later(), unique },
});
const ask = async ({ context }: Pick<TestSystem, 'context'>, unique: Unique, text?: string) =>
  await submit(context, trial, asked(unique, text).submission);

test('a job that is returned is the one that holds the key; another queue of keys, or owner, is free', async () => {
  await using system = await testSystem();
  const unique = { key: 'a', while: 'unfinished', conflict: 'return' } as const;
  const first = await ask(system, unique);
  expect(await ask(system, unique, 'second')).toMatchObject({ created: false, job: { id: first.job.id } });
  expect(await ask(system, { ...unique, key: 'b' })).toMatchObject({ created: true });
  const stranger = { ...asked(unique).submission, principal: { owner: 'bob' } };
  expect(await submit(system.context, trial, stranger)).toMatchObject({ created: true });
});

test('error: a job that is refused names the one that holds the key', async () => {
  await using system = await testSystem();
  const unique = { key: 'a', while: 'forever', conflict: 'refuse' } as const;
  const { job } = await ask(system, unique);
  await cancelJob(system.context, job.id, 'op');
  await expect(ask(system, unique)).rejects.toMatchObject({ code: 'unique_conflict', details: { job: job.id } });
});

test('a job that is replaced keeps its id, has the new payload and time, and runs with them', async () => {
  await using system = await testSystem();
  const unique = { key: 'a', while: 'queued', conflict: 'replace' } as const;
  const { job } = await ask(system, unique);
  const now = { ...asked(unique, 'second').submission, runAt: new Date() };
  expect(await submit(system.context, trial, now)).toMatchObject({ created: false, job: { id: job.id } });
  await system.fleet();
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded', result: { text: 'second' } });
  expect(await system.events(job.id)).toEqual(['queued', 'replaced', 'started', 'succeeded']);
  // it has begun, so that its key is free
  expect(await ask(system, unique)).toMatchObject({ created: true });
});

test('error: one that has begun is not replaced while it holds its key', async () => {
  await using system = await testSystem();
  await system.fleet();
  const unique = { key: 'a', while: 'unfinished', conflict: 'replace' } as const;
  const job = await system.submit({ do: 'wait' }, { unique });
  await system.until(job.id, ({ state }) => state === 'running');
  await expect(ask(system, unique)).rejects.toMatchObject({
    code: 'unique_conflict',
    message: expect.stringContaining('is running'),
  });
  await cancelJob(system.context, job.id, 'op');
  expect(await ask(system, unique)).toMatchObject({ created: true });
});

test('a job whose attempt failed waits again without the key that it held until it began', async () => {
  await using system = await testSystem();
  const unique = { key: 'a', while: 'queued', conflict: 'refuse' } as const;
  const first = await system.submit({ do: 'fail', until: 1 }, { unique });
  await system.fleet();
  await system.until(first.id, ({ attempt }) => attempt > 0);
  const { job, created } = await ask(system, unique);
  expect(created).toBe(true);
  expect(await system.ended(first.id)).toMatchObject({ state: 'succeeded' });
  expect(await readJob(system.context, job.id)).toMatchObject({ state: 'queued' });
});

test('property: of many at once from two processes, one is made, and the others are answered with it', async () => {
  await using system = await testSystem();
  await using other = await openContext(loadConfig(system.env), 'test');
  const unique = { key: 'race', while: 'unfinished', conflict: 'return' } as const;
  const many = Array.from({ length: 100 }, (_, index) => asked(unique, `${index}`));
  const answers = await Promise.all([
    ...many.map(async ({ submission }) => await submit(system.context, trial, submission)),
    ...many.map(async ({ submission }) => await submit(other, trial, submission)),
  ]);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(answers.map(({ job }) => job.id)).size).toBe(1);
});

test('property: replaced while it is claimed, the job runs with one of the payloads, and no submit is lost', async () => {
  await using system = await testSystem();
  const { context } = system;
  await system.fleet();
  const unique = { key: 'debounce', while: 'queued', conflict: 'replace' } as const;
  const texts = Array.from({ length: 60 }, (_, index) => `${index}`);
  const ids = new Set<string>();
  for (const text of texts) {
    const { job } = await submit(context, trial, { ...asked(unique, text).submission, runAt: new Date() });
    ids.add(job.id);
  }
  const results = await Promise.all([...ids].map(async (id) => (await system.ended(id)).result as { text: string }));
  expect(results.map(({ text }) => text)).toContain(texts.at(-1));
});

test('equal keys in one request: the first is made, each further meets it; all or none refuses them', async () => {
  await using system = await testSystem();
  const unique = { key: randomUUID(), while: 'unfinished', conflict: 'return' } as const;
  const wanted = [asked(unique), asked(unique, 'second'), asked({ ...unique, conflict: 'refuse' })];
  const settled = await submitMany(system.context, wanted);
  expect(settled).toMatchObject([
    { value: { created: true } },
    { value: { created: false } },
    { reason: { code: 'unique_conflict' } },
  ]);
  const held = submitTogether(system.context, [asked({ ...unique, key: 'free' }), asked(unique)]);
  await expect(held).rejects.toMatchObject({ code: 'unique_conflict', details: { index: 1 } });
  expect(await ask(system, { ...unique, key: 'free' })).toMatchObject({ created: true });
});

test('a contract makes the key of the payload', async () => {
  await using system = await testSystem();
  const queue: typeof trial = { ...trial, unique: { key: ['/text'], while: 'unfinished', conflict: 'return' } };
  const send = async (text: string, more: object = {}) =>
    await submit(system.context, queue, { principal, payload: { do: 'succeed', text, ...more }, runAt: later() });
  const [first, same, other] = [await send('a'), await send('a', { times: 2 }), await send('b')];
  expect([same.job.id === first.job.id, other.created]).toEqual([true, true]);
});

test('a delivery of before the replacement is claimed by nobody', async () => {
  await using system = await testSystem();
  const unique = { key: 'a', while: 'queued', conflict: 'replace' } as const;
  const { job } = await ask(system, unique);
  await ask(system, unique, 'second');
  const claim = claimsFor(system.context, () => randomUUID(), false);
  expect(await claim({ id: job.id, dispatch: job.dispatch, token: randomUUID() })).toBeNull();
});
