import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fence, remoteApi } from './remote.ts';

test('a step is kept once, and handed out with the job again', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const [first] = await worker.take();
  expect(first).toMatchObject({ steps: [] });
  const step = { ...fence(first!), type: 'step', name: 'charge', after: 0, value: { paid: 7 } };
  expect(await worker.report(step, { ...step, value: 'another' })).toMatchObject([
    { status: 'accepted', value: { paid: 7 } },
    { status: 'accepted', value: { paid: 7 } },
  ]);
  await worker.report({ ...fence(first!), type: 'released' });
  const [second] = await worker.take();
  expect(second).toMatchObject({
    attempt: 2,
    steps: [{ name: 'charge', kind: 'step', after: 0, n: 1, value: { paid: 7 } }],
  });
  expect(await worker.report(step)).toMatchObject([{ status: 'stale' }]);
});

test('an effect outside is meant once: a later attempt is told what is known of it', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const [first] = await worker.take();
  const intend = (job: typeof first, name: string) => ({
    ...fence(job!),
    type: 'effect_intended',
    name,
    request: { amount: 1 },
  });
  expect(await worker.report(intend(first, 'pay'), intend(first, 'mail'), intend(first, 'call'))).toMatchObject([
    { effect: { state: 'fresh', key: `${first!.id}.pay` } },
    { effect: { state: 'fresh' } },
    { effect: { state: 'fresh' } },
  ]);
  await worker.report(
    { ...fence(first!), type: 'effect_done', name: 'pay', outcome: { ok: true }, external_id: 'x-1' },
    { ...fence(first!), type: 'effect_failed', name: 'call', message: 'The line was busy.' },
    { ...fence(first!), type: 'released' },
  );
  const [second] = await worker.take();
  expect(await worker.report(intend(second, 'pay'), intend(second, 'mail'), intend(second, 'call'))).toMatchObject([
    { effect: { state: 'done', outcome: { ok: true }, external_id: 'x-1' } },
    { effect: { state: 'again' } },
    { effect: { state: 'fresh' } },
  ]);
  expect(await worker.report({ ...intend(second, 'pay'), request: { amount: 2 } })).toMatchObject([
    { status: 'refused', code: 'state_conflict' },
  ]);
});

test('error: the outcome of an effect comes from a claim that has meant it; what cannot be stored is refused alone', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const [job] = await worker.take();
  const intended = { ...fence(job!), type: 'effect_intended', name: 'pay', request: { amount: 1 } };
  await worker.report(intended);
  const done = { ...fence(job!), type: 'effect_done', name: 'pay', outcome: { forged: true } };
  expect(await worker.report({ ...done, token: randomUUID() })).toMatchObject([{ status: 'stale' }]);
  expect(
    await worker.report({ ...done, name: 'never' }, { ...done, outcome: 'a\u0000b' }, { ...done, outcome: 7 }),
  ).toMatchObject([
    { status: 'refused', code: 'state_conflict' },
    { status: 'refused', code: 'invalid_request' },
    { status: 'accepted' },
  ]);
  expect(await worker.report(intended)).toMatchObject([{ effect: { state: 'done', outcome: 7 } }]);
  await worker.report({ ...fence(job!), type: 'failed', error: { message: 'a\u0000b' } });
  const [again] = await worker.take();
  expect(again).toMatchObject({ attempt: 2, failures: 1 });
});

test('a job waits for a signal without a process, and goes on with it', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const id = await api.submit(1);
  const [first] = await worker.take();
  const on = { kind: 'signal', name: 'paid' };
  expect(await worker.report({ ...fence(first!), type: 'suspended', on, after: 0 })).toEqual([{ status: 'accepted' }]);
  expect(await api.job(id)).toMatchObject({ state: 'waiting' });
  expect((await api.call('POST', `/v1/jobs/${id}/signals/paid`, { payload: { by: 'card' } })).statusCode).toBe(202);
  const [second] = await worker.take();
  expect(second).toMatchObject({
    id,
    attempt: 2,
    steps: [{ name: 'paid', kind: 'signal', value: { payload: { by: 'card' } } }],
  });
});

test('a job waits for its child, which is submitted once, and gets its result', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const id = await api.submit(1);
  const [parent] = await worker.take();
  const submit = {
    ...fence(parent!),
    type: 'submit',
    name: 'small',
    after: 0,
    queue: 'acme.resize-image',
    payload: { width: 2 },
  };
  const [one, two] = (await worker.report(submit, submit)) as unknown as { status: string; child: string }[];
  expect([one!.status, two!.child]).toEqual(['accepted', one!.child]);
  expect(await worker.report({ ...submit, name: 'other', queue: 'studio.render' })).toMatchObject([
    { status: 'refused', code: 'not_found' },
  ]);
  const on = { kind: 'result', name: 'result of small', child: one!.child };
  await worker.report({ ...fence(parent!), type: 'suspended', on, after: 1 });
  const [child] = await worker.take();
  expect(child).toMatchObject({ id: one!.child, payload: { width: 2 } });
  expect(await api.job(one!.child)).toMatchObject({ parent_id: id });
  await worker.report({ ...fence(child!), type: 'succeeded', result: { bytes: 5 } });
  const [again] = await worker.take();
  expect(again).toMatchObject({
    id,
    steps: [
      { name: 'small', kind: 'child', value: { job: one!.child } },
      { name: 'result of small', kind: 'result', value: { state: 'succeeded', result: { bytes: 5 } } },
    ],
  });
});

test('a job sleeps until its time has come', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const [first] = await worker.take();
  const on = { kind: 'sleep', name: 'a while', until: new Date(Date.now() + 500).toISOString() };
  await worker.report({ ...fence(first!), type: 'suspended', on, after: 0 });
  expect(await worker.take()).toMatchObject([{ attempt: 2, steps: [{ name: 'a while', kind: 'sleep', value: null }] }]);
});
