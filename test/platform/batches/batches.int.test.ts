import { setTimeout } from 'node:timers/promises';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { batchWorld, jsonl, request } from '#test/platform/batch-world.ts';
import { contentsOf } from '#test/providers/asset-world.ts';

/** With the settings as they are, for tests that look at nothing but what they have begun. */
let shared: Awaited<ReturnType<typeof batchWorld>>;
beforeAll(async () => {
  shared = await batchWorld();
});
afterAll(async () => await shared[Symbol.asyncDispose]());

test('OpenAI’s client has a file carried out and reads the answers, line by line', async () => {
  const world = shared;
  const { client, start, ended, results } = world;
  const begun = await start([request('a'), request('b', 'refuse'), request('c')], { metadata: { note: 'mine' } });
  expect(begun).toMatchObject({
    id: expect.stringMatching(/^batch_[0-9a-f]{32}$/),
    object: 'batch',
    endpoint: '/v1/images/generations',
    completion_window: '24h',
    metadata: { note: 'mine' },
    output_file_id: null,
    job: { queue: 'platform.batch' },
    audit_receipt: null,
  });
  expect(begun.expires_at! - begun.created_at).toBe(86_400);
  const done = await ended(begun.id);
  expect(done).toMatchObject({
    status: 'completed',
    request_counts: { total: 3, completed: 2, failed: 1 },
    errors: null,
  });
  expect([done.in_progress_at, done.finalizing_at, done.completed_at].every(Number.isInteger)).toBe(true);
  const { answers, failures } = await results(done);
  expect(answers.map(({ custom_id: id }) => id)).toEqual(['a', 'c']);
  expect(answers[0]).toMatchObject({
    id: expect.stringMatching(/^batch_req_/),
    response: { status_code: 200, request_id: expect.any(String), body: { data: [{ url: expect.any(String) }] } },
    error: null,
  });
  expect(failures).toMatchObject([
    {
      custom_id: 'b',
      response: { status_code: 422, body: { error: { code: 'provider_refused', message: expect.any(String) } } },
      error: null,
    },
  ]);
  const output = await client.files.retrieve(done.output_file_id!);
  expect(output).toMatchObject({ purpose: 'batch_output', filename: `${done.id}_output.jsonl` });
  const other = await start([request('a', 'cheap')]);
  const listed = await Array.fromAsync(await client.batches.list({ limit: 1 }));
  expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([other.id, begun.id]);
  await ended(other.id);
});

test('a bad line is an error line, and the others go on', async () => {
  await using world = await batchWorld({ TEXT_BODY_LIMIT_BYTES: '4096' });
  const begun = await world.start(
    [
      '{"custom_id": "cut',
      '[]',
      '',
      { ...request('x'), custom_id: undefined },
      { ...request('x'), custom_id: '' },
      request('get', 'x', { method: 'GET' }),
      request('nowhere', 'x', { url: '/v1/nothing' }),
      request('no-body', 'x', { body: undefined }),
      request('extra', 'x', { body: { prompt: 'x', nonsense: 1 } }),
      request('nul', 'a\u0000b'),
      request('inside', 'x', { body: { prompt: 'x', webhook: { url: 'http://127.0.0.1:1/' } } }),
      request('nobody', 'x', { url: '/v1/personas/nobody/video', body: { script: 'x' } }),
      request('good', 'cheap'),
      request('good', 'cheap'),
      request('long', 'x'.repeat(5_000)),
      request('ours', 'cheap', { url: '/api/v2/images/generate' }),
    ],
    {},
  );
  const done = await world.ended(begun.id);
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 15, completed: 2, failed: 13 } });
  const { answers, failures } = await world.results(done);
  expect(answers.map(({ custom_id: id }) => id)).toEqual(['good', 'ours']);
  const told = failures.map(({ custom_id: id, response, error }) => [
    id,
    error?.code ?? `${response.status_code} ${response.body.code}`,
  ]);
  expect(told).toEqual([
    [null, 'invalid_json_line'],
    [null, 'invalid_json_line'],
    [null, 'missing_required_parameter'],
    [null, 'invalid_custom_id'],
    ['get', 'invalid_method'],
    ['nowhere', 'invalid_url'],
    ['no-body', '400 invalid_request'],
    ['extra', '400 invalid_request'],
    ['nul', '400 invalid_request'],
    ['inside', '400 invalid_request'],
    ['nobody', 'mismatched_url'],
    ['good', 'duplicate_custom_id'],
    [null, 'line_too_long'],
  ]);
});

test('requests that come with the batch are stored as a file; two at once with one key are one batch', async () => {
  await using world = await batchWorld({ TEXT_BODY_LIMIT_BYTES: '1048576' });
  const { headers } = await world.api.key();
  const send = async (body: object, more: Record<string, string> = {}, path = '/batch') => {
    const answer = await fetch(`${world.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
    return {
      status: answer.status,
      replayed: answer.headers.get('idempotency-replayed'),
      body: (await answer.json()) as any,
    };
  };
  const body = { requests: [request('a', 'cheap'), request('b', 'cheap', { url: '/api/v2/images/generate' })] };
  const key = { 'idempotency-key': 'once' };
  const [one, two] = await Promise.all([send(body, key), send(body, key, '/batches')]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body.id).toBe(two.body.id);
  expect([one.replayed, two.replayed].filter((value) => value === 'true')).toHaveLength(1);
  const done = await world.ended(one.body.id);
  expect(done).toMatchObject({ status: 'completed', endpoint: '/api/v2', request_counts: { total: 2, completed: 2 } });
  // one input and one output: the second copy of the requests was dropped
  const files = await Array.fromAsync(await world.client.files.list());
  expect(files.map(({ purpose }) => purpose).toSorted()).toEqual(['batch', 'batch_output']);
  expect((await send({ requests: [request('other')] }, key)).status).toBe(409);
  expect((await send({})).status).toBe(400);
  expect((await send({ ...body, input_file_id: files[0]!.id })).status).toBe(400);
  expect((await send({ ...body, endpoint: '/v1/nothing' })).status).toBe(400);
  expect((await send({ input_file_id: 'file-nothing' })).status).toBe(404);
  expect((await send({ requests: [{ pad: 'x'.repeat(1_100_000) }] })).status).toBe(413);
});

test('a file that cannot be a batch fails it as a whole and says why', async () => {
  const world = shared;
  const empty = await world.ended((await world.start(['', ' '])).id);
  expect(empty).toMatchObject({ status: 'failed', errors: { object: 'list', data: [{ code: 'empty_file' }] } });
  expect(empty.failed_at).toEqual(expect.any(Number));
  const many = await world.ended((await world.start(Array.from({ length: 10_001 }, () => 'x'))).id);
  expect(many).toMatchObject({ status: 'failed', errors: { data: [{ code: 'too_many_lines', line: 10_001 }] } });
  expect(many.request_counts).toEqual({ total: 0, completed: 0, failed: 0 });
});

test('cancelled, no line begins any more, what is under way ends, and what was done is in the files', async () => {
  await using world = await batchWorld({ BATCH_CONCURRENCY: '2' });
  const { client, start, until, ended, results, context } = world;
  const begun = await start([request('done', 'cheap'), ...['b', 'c', 'd', 'e'].map((id) => request(id, 'wait'))]);
  await until(begun.id, ({ request_counts: counts }) => counts?.completed === 1);
  const file = begun.input_file_id;
  // its own copy of the input is kept while it needs it
  await client.files.delete(file);
  expect(await client.batches.cancel(begun.id)).toMatchObject({
    status: 'cancelling',
    cancelling_at: expect.any(Number),
  });
  const last = await ended(begun.id);
  expect(last).toMatchObject({ status: 'cancelled', request_counts: { total: 5, completed: 1, failed: 4 } });
  const { answers, failures } = await results(last);
  expect(answers.map(({ custom_id: id }) => id)).toEqual(['done']);
  expect(failures.map(({ custom_id: id, response, error }) => [id, response, error.code])).toEqual(
    ['b', 'c', 'd', 'e'].map((id) => [id, null, 'batch_cancelled']),
  );
  const open = await context.db.any(sql.unsafe`select id from jobs where finished_at is null`);
  expect(open).toEqual([]);
  // nothing needs the input any more: the two files of results are all that is kept
  expect(await contentsOf(world.home)).toHaveLength(2);
  await expect(client.batches.cancel(begun.id)).rejects.toMatchObject({ status: 409, code: 'state_conflict' });
});

test('at the end of its time what is not done expires', async () => {
  const world = shared;
  const begun = await world.start([request('a', 'cheap'), request('b', 'wait')]);
  await world.until(begun.id, ({ request_counts: counts }) => counts?.completed === 1);
  await world.context.db.query(sql.unsafe`update batches set expires_at = now()`);
  const last = await world.ended(begun.id);
  expect(last).toMatchObject({ status: 'expired', expired_at: expect.any(Number), completed_at: null });
  const { answers, failures } = await world.results(last);
  expect([answers.length, failures.map(({ error }) => error.code)]).toEqual([1, ['batch_expired']]);
});

test('a batch whose job is cancelled as a job is cancelled with what is under way', async () => {
  const world = shared;
  const begun = await world.start([request('a', 'wait'), request('b', 'wait')]);
  const running = async () => (await world.children()).filter(({ state }) => state === 'running');
  while ((await running()).length < 2) await setTimeout(20);
  await cancelJob(world.context, (await world.jobOf(begun)).id, 'owner-1');
  expect(await world.ended(begun.id)).toMatchObject({ status: 'cancelled', output_file_id: null });
  expect(await world.context.db.any(sql.unsafe`select id from jobs where finished_at is null`)).toEqual([]);
});

test('error: no other owner reads, lists or cancels a batch, or makes one of another’s file', async () => {
  await using world = await batchWorld({}, { fleet: false });
  const begun = await world.start([request('a', 'cheap')]);
  const stranger = await world.clientOf('owner-2');
  await expect(stranger.batches.retrieve(begun.id)).rejects.toMatchObject({ status: 404 });
  await expect(stranger.batches.cancel(begun.id)).rejects.toMatchObject({ status: 404 });
  expect((await stranger.batches.list()).data).toEqual([]);
  const { input_file_id: file, endpoint } = begun;
  const theirs = { input_file_id: file, endpoint: endpoint as '/v1/responses', completion_window: '24h' } as const;
  await expect(stranger.batches.create(theirs)).rejects.toMatchObject({ status: 404 });
  const { id: picture } = await world.client.files.create({ file: await jsonl([]), purpose: 'vision' });
  await expect(world.client.batches.create({ ...theirs, input_file_id: picture })).rejects.toMatchObject({
    status: 400,
  });
});
