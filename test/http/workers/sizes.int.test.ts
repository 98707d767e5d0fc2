import { expect, test } from 'vitest';
import { fence, remoteApi } from './remote.ts';

const sized = {
  title: 'Weigh an image',
  payload: { type: 'object' },
  result: true,
  group: '/customer',
  max_payload_bytes: 100,
  max_result_bytes: 50,
  max_progress_bytes: 20,
};

async function sizedApi() {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await remoteApi());
  const put = async (contract: object) => await api.call('PUT', '/v1/queues/acme.weigh-image', { contract });
  expect((await put(sized)).statusCode).toBe(201);
  const submit = async (body: object) =>
    await api.call('POST', '/v1/queues/acme.weigh-image/jobs', body, { prefer: 'respond-async' });
  const all = stack.move();
  return { ...api, put, submitted: submit, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test('error: what is larger than its contract allows is refused with both sizes, and a result fails its job', async () => {
  await using api = await sizedApi();
  const large = await api.submitted({ payload: { text: 'é'.repeat(60) } });
  expect([large.statusCode, large.json()]).toMatchObject([
    413,
    { code: 'payload_too_large', detail: expect.stringContaining('131 bytes of JSON, expected at most 100') },
  ]);
  const { id } = (await api.submitted({ payload: {} })).json();
  const worker = await api.worker([{ name: 'acme.weigh-image' }]);
  const [job] = await worker.take();
  expect(
    await worker.report(
      { ...fence(job!), type: 'progress', data: 'x'.repeat(18) },
      { ...fence(job!), type: 'progress', data: 'x'.repeat(19) },
      { ...fence(job!), type: 'succeeded', result: 'x'.repeat(49) },
    ),
  ).toMatchObject([
    { status: 'accepted' },
    { status: 'refused', code: 'invalid_payload' },
    { status: 'refused', code: 'invalid_result' },
  ]);
  expect(await api.job(id)).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_result', message: expect.stringContaining('51 bytes of JSON, expected at most 50') },
  });
});

test('sizes of a version stay or grow; progress has a bound without any', async () => {
  await using api = await sizedApi();
  expect((await api.put({ ...sized, max_result_bytes: 60 })).statusCode).toBe(200);
  expect((await api.put(sized)).json()).toMatchObject({
    code: 'incompatible_contract',
    details: { path: '/max_result_bytes' },
  });
  const worker = await api.worker();
  await api.submit(1);
  const [job] = await worker.take();
  expect(await worker.report({ ...fence(job!), type: 'progress', data: 'x'.repeat(65_535) })).toMatchObject([
    { status: 'refused', code: 'invalid_payload' },
  ]);
});

test('a job is in the group that its contract finds in the payload, unless its submit names one', async () => {
  await using api = await sizedApi();
  const groupOf = async (body: object) => (await api.job((await api.submitted(body)).json().id)).group;
  expect(await groupOf({ payload: { customer: 'c-1' } })).toBe('c-1');
  expect(await groupOf({ payload: { customer: 7 } })).toBe('7');
  expect(await groupOf({ payload: { customer: 'c-1' }, group: 'vip' })).toBe('vip');
  expect(await groupOf({ payload: { customer: {} } })).toBeNull();
  const bulk = await api.call('POST', '/v1/jobs/bulk', [{ queue: 'acme.weigh-image', payload: { customer: 'c-2' } }]);
  const [line] = bulk.body.trim().split('\n');
  expect((await api.job(JSON.parse(line!).id)).group).toBe('c-2');
});

test('error: a change of a contract that takes too many steps to compare is refused, and is the next version', async () => {
  await using api = await sizedApi();
  const anyOf = ['[a-z]', '[a-y]', '[a-x]'].map((letters) => ({ pattern: `(?:${letters}?){1000}[A-Z]` }));
  const texts = Array.from({ length: 1_000 }, (_, index) => `${'a'.repeat(16)}${index}`);
  const contract = (values: readonly string[]) => ({ ...sized, payload: { enum: values, anyOf } });
  const put = async (body: object) => await api.call('PUT', '/v1/queues/acme.choose', body);
  expect((await put({ contract: contract(texts) })).statusCode).toBe(201);
  const refused = await put({ contract: contract(['q']) });
  expect(refused.json()).toMatchObject({
    code: 'incompatible_contract',
    detail: expect.stringMatching(/not certain.*\/payload\/enum.*steps.*version 2/),
  });
  expect((await put({ contract: contract(['q']), version: 2 })).statusCode).toBe(201);
});
