import { JobFailed, type StreamEvent } from '@proofline/client';
import { defineJob, EffectRefused, JobError, type JobStopped } from '@proofline/worker';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { openApi } from './open-api.ts';

const resize = defineJob({
  name: 'acme.resize-image',
  title: 'Resize an image',
  payload: Type.Object({ width: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  result: Type.Object({ bytes: Type.Integer() }),
  progress: Type.Object({ percent: Type.Number() }),
  attempts: 2,
  backoff: { first: 0, cap: 0 },
  run: ({ payload, progress, log }) => {
    progress({ percent: 50 });
    log.info('half way', { width: payload.width });
    return { bytes: payload.width * 4 };
  },
});

test.each(['http', 'websocket'] as const)(
  'over %s a job is defined, served, submitted, followed and read',
  async (transport) => {
    await using open = await openApi();
    await open.serve([resize], { transport });
    const job = await open.client.submit(resize, { width: 2 });
    const events: StreamEvent[] = [];
    for await (const event of job.events()) events.push(event);
    expect(events.filter(({ id }) => id !== undefined).map(({ type }) => type)).toEqual([
      'queued',
      'started',
      'succeeded',
    ]);
    expect(await job.result()).toEqual({ bytes: 8 });
    expect(await job.job()).toMatchObject({ state: 'succeeded', attempt: 1, queue: 'acme.resize-image' });
    const again = await open.client.submit(resize, { width: 3 }, { idempotencyKey: 'mine' });
    expect(await again.result()).toEqual({ bytes: 12 });
    expect((await open.client.submit(resize, { width: 3 }, { idempotencyKey: 'mine' })).id).toBe(again.id);
  },
);

test('a stream goes on behind its last event over a new connection', async () => {
  await using open = await openApi();
  await open.serve([resize]);
  const job = await open.client.submit(resize, { width: 2 });
  await job.wait();
  let after: string | undefined;
  const types: string[] = [];
  for (const _ of [1, 2, 3, 4])
    for await (const event of job.events({ after })) {
      after = event.id ?? after;
      types.push(event.type);
      break;
    }
  expect(types).toEqual(['queued', 'started', 'succeeded']);
});

test('many jobs are submitted in slices, answered in their order, and those that do not fit are named', async () => {
  await using open = await openApi();
  await open.serve([resize], { capacity: 100 });
  const jobs = Array.from({ length: 250 }, (_, n) => ({
    queue: resize.name,
    payload: { width: n === 120 ? 0 : n + 1 },
    idempotencyKey: `job-${n}`,
  }));
  const ids: string[] = [];
  for await (const answer of open.client.bulk(jobs, { slice: 100 })) {
    if ('error' in answer) expect(answer).toMatchObject({ index: 120, error: { code: 'invalid_payload' } });
    else ids.push(answer.id);
  }
  expect(new Set(ids).size).toBe(249);
  expect(await open.client.job(ids.at(-1)!).result()).toEqual({ bytes: 1_000 });
  for await (const answer of open.client.bulk(jobs.slice(0, 2)))
    expect(answer).toMatchObject({ id: ids[answer.index], created: false });
});

test('error: what a run throws is the failure of its job, and refused payloads never become one', async () => {
  await using open = await openApi();
  const failing = defineJob({
    ...resize.settings,
    name: 'acme.fail',
    payload: Type.Object({ how: Type.String() }),
    result: Type.Integer(),
    attempts: 2,
    backoff: 0,
    run: ({ payload, attempt }) => {
      if (payload.how === 'later' && attempt === 2) return 7;
      if (payload.how === 'wrong') return 'no number' as never;
      throw new JobError('no_image', 'There is no image.', {
        retryable: payload.how !== 'final',
        details: { how: payload.how },
      });
    },
  });
  await open.serve([failing]);
  await expect(open.client.submit('acme.fail', { how: 1 })).rejects.toMatchObject({
    code: 'invalid_payload',
    status: 422,
  });
  expect(await (await open.client.submit(failing, { how: 'later' })).result()).toBe(7);
  const final = await open.client.submit(failing, { how: 'final' });
  const error = await final.result().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(JobFailed);
  expect(error).toMatchObject({ code: 'no_image', details: { failure: { how: 'final' } }, job: { attempt: 1 } });
  const wrong = await open.client.submit(failing, { how: 'wrong' });
  await expect(wrong.result()).rejects.toMatchObject({ code: 'invalid_result' });
});

test('a cancelled job is stopped in its worker, and tells it why', async () => {
  await using open = await openApi();
  const reasons: string[] = [];
  const begun = Promise.withResolvers<void>();
  const waiting = defineJob({
    name: 'acme.wait',
    payload: true,
    run: async ({ signal }) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reasons.push((signal.reason as JobStopped).reason);
    },
  });
  await open.serve([waiting]);
  const job = await open.client.submit(waiting, null);
  await begun.promise;
  expect(await job.cancel()).toMatchObject({ state: 'cancelled' });
  await until(() => reasons.length === 1);
  expect(reasons).toEqual(['cancelled']);
  await expect(job.result()).rejects.toMatchObject({ code: 'cancelled' });
});

test('effects are made once: again after a refusal, and never where their outcome is not known', async () => {
  await using open = await openApi();
  const keys: string[] = [];
  const charge = defineJob({
    name: 'acme.charge',
    payload: Type.Object({ how: Type.String() }),
    attempts: 3,
    backoff: 0,
    run: async ({ payload, effect, attempt }) =>
      await effect('charge', { amount: 5 }, ({ key }) => {
        keys.push(key);
        if (payload.how === 'refuse' && attempt === 1) throw new EffectRefused('declined');
        if (payload.how === 'break') throw new Error('connection reset');
        return `charged in ${attempt}`;
      }),
  });
  await open.serve([charge]);
  expect(await (await open.client.submit(charge, { how: 'refuse' })).result()).toBe('charged in 2');
  expect(new Set(keys).size).toBe(1);
  const broken = await open.client.submit(charge, { how: 'break' });
  await expect(broken.result()).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(keys).toHaveLength(3);
});

test('what a worker does not finish before it stops is done by another one, and has not failed', async () => {
  await using open = await openApi();
  const begun = Promise.withResolvers<void>();
  const slow = defineJob({
    name: 'acme.slow',
    payload: true,
    attempts: 1,
    run: async ({ attempt, signal }) => {
      if (attempt > 1) return 'by another';
      begun.resolve();
      return await new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    },
  });
  const first = await open.serve([slow], { drain: 10 });
  const job = await open.client.submit(slow, null);
  await begun.promise;
  first.stop();
  await first.ended;
  await open.serve([slow]);
  expect(await job.result()).toBe('by another');
  expect(await job.job()).toMatchObject({ failures: 0, attempt: 2 });
});

test('error: a contract that payloads of before do not fit is refused with the version to register instead', async () => {
  await using open = await openApi();
  await open.serve([resize]);
  const narrower = defineJob({
    name: 'acme.resize-image',
    payload: Type.Object({ width: Type.Integer({ minimum: 10 }) }, { additionalProperties: false }),
    result: Type.Object({ bytes: Type.Integer() }),
    run: () => ({ bytes: 1 }),
  });
  await expect(open.serve([narrower])).rejects.toMatchObject({
    code: 'incompatible_contract',
    details: { version: 1, next: 2 },
  });
  const next = defineJob({
    name: 'acme.resize-image',
    version: 2,
    payload: Type.Object({ width: Type.Integer({ minimum: 10 }) }, { additionalProperties: false }),
    result: Type.Object({ bytes: Type.Integer() }),
    run: () => ({ bytes: 2 }),
  });
  await open.serve([next]);
  expect(await (await open.client.submit(next, { width: 10 })).result()).toEqual({ bytes: 2 });
  expect(await (await open.client.submit(resize, { width: 1 })).result()).toEqual({ bytes: 4 });
});
