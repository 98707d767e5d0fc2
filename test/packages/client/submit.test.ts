import { createClient, ProoflineError } from '@proofline/client';
import { expect, test, vi } from 'vitest';
import { cut, json, problem, type ScriptedServer, scriptedServer } from '#test/packages/scripted-server.ts';

const quick = (server: ScriptedServer, options: object = {}) =>
  createClient({ url: server.url, key: 'sk-1', backoff: 1, ...options });

const accepted = { id: 'job-1', state: 'queued' };

test('a job is submitted under a key of its own, with its options as the protocol names them', async () => {
  await using server = await scriptedServer((_, response) => json(response, 202, accepted, { 'x-job-id': 'job-1' }));
  const options = {
    version: 2,
    runAt: new Date(0),
    delay: '2m',
    expiresAt: '2030-01-01T00:00:00Z',
    priority: 5,
    group: 'a',
    metadata: { order: 7 },
    approval: true,
    budget: { jobUsd: 0.5 },
    receipt: false,
    webhook: { url: 'https://example.com/done' },
  } as const;
  const job = await quick(server).submit('acme.resize image', { url: 'x' }, options);
  expect(job.id).toBe('job-1');
  const [request] = server.requests;
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/queues/acme.resize%20image/jobs',
    headers: {
      authorization: 'Bearer sk-1',
      'content-type': 'application/json',
      prefer: 'respond-async',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
  expect(JSON.parse(request!.text)).toEqual({
    payload: { url: 'x' },
    version: 2,
    run_at: '1970-01-01T00:00:00.000Z',
    delay_ms: 120_000,
    expires_at: '2030-01-01T00:00:00Z',
    priority: 5,
    group: 'a',
    metadata: { order: 7 },
    approval: true,
    budget: { job_usd: 0.5 },
    receipt: false,
    webhook: { url: 'https://example.com/done' },
  });
});

test('a page follows with a stream token in place of a key', async () => {
  await using server = await scriptedServer((_, response) => json(response, 200, {}));
  const page = createClient({ url: server.url, token: 'st-1' });
  await page.call('GET', '/v1/jobs/job-1');
  expect(server.requests[0]!.headers).toMatchObject({ authorization: 'Bearer st-1' });
});

test('a definition gives its name, its version and the group of the payload, and options go before it', async () => {
  await using server = await scriptedServer((_, response) => json(response, 202, accepted));
  const resize = {
    name: 'acme.resize',
    version: 3,
    group: ({ payload }: { payload: { host: string } }) => payload.host,
  };
  const client = quick(server);
  await client.submit(resize, { host: 'a.example' });
  await client.submit(resize, { host: 'a.example' }, { group: 'b', version: 2, idempotencyKey: 'mine' });
  const bodies = server.requests.map(({ text }) => JSON.parse(text) as object);
  expect(bodies).toEqual([
    { payload: { host: 'a.example' }, version: 3, group: 'a.example' },
    { payload: { host: 'a.example' }, version: 2, group: 'b' },
  ]);
  expect(server.requests[1]?.headers['idempotency-key']).toBe('mine');
});

test('a submit that meets 429, 503 and a cut connection is repeated under the same key', async () => {
  await using server = await scriptedServer(({ before }, response) => {
    if (before === 0) return problem(response, 429, 'rate_limited', 'slow down', { headers: { 'retry-after': '0' } });
    if (before === 1) return problem(response, 503, 'unavailable', 'restarting');
    if (before === 2) return cut(response);
    return json(response, 202, accepted);
  });
  expect((await quick(server).submit('acme.a', {})).id).toBe('job-1');
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test('a job that was submitted before under the key, and has ended since, gives its handle', async () => {
  await using server = await scriptedServer(({ path }, response) =>
    path.includes('failed')
      ? problem(response, 503, 'providers_exhausted', 'none left', { headers: { 'x-job-id': 'job-2' } })
      : json(response, 200, { any: 'result' }, { 'x-job-id': 'job-1' }),
  );
  const client = quick(server);
  expect((await client.submit('acme.done', {})).id).toBe('job-1');
  expect((await client.submit('acme.failed', {})).id).toBe('job-2');
  // its failure is not taken for a server that cannot be reached
  expect(server.requests).toHaveLength(2);
});

test('error: a refusal carries code, status, sentence, details and request of the problem, and is not repeated', async () => {
  await using server = await scriptedServer((_, response) =>
    problem(response, 422, 'invalid_payload', 'expected a url, got a number.', { details: { path: '/url' } }),
  );
  const refused = quick(server).submit('acme.a', { url: 1 });
  await expect(refused).rejects.toBeInstanceOf(ProoflineError);
  await expect(refused).rejects.toMatchObject({
    name: 'ProoflineError',
    code: 'invalid_payload',
    status: 422,
    message: 'expected a url, got a number.',
    details: { path: '/url' },
    retryable: false,
    requestId: 'r-1',
  });
  expect(server.requests).toHaveLength(1);
});

test('error: tries are bounded, and the last refusal is thrown', async () => {
  await using server = await scriptedServer((_, response) => problem(response, 503, 'unavailable', 'restarting'));
  await expect(quick(server, { retries: 2 }).submit('acme.a', {})).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
    retryable: true,
  });
  expect(server.requests).toHaveLength(3);
});

test('error: a Retry-After of an hour is thrown at once, for the caller to decide', async () => {
  await using server = await scriptedServer((_, response) =>
    problem(response, 429, 'quota_exceeded', 'enough for today', { headers: { 'retry-after': '3600' } }),
  );
  await expect(quick(server).submit('acme.a', {})).rejects.toMatchObject({ retryAfterMs: 3_600_000, retryable: true });
  expect(server.requests).toHaveLength(1);
});

test('error: an answer of a proxy is named by its status, with the beginning of its text', async () => {
  await using server = await scriptedServer((_, response) => void response.writeHead(404).end('<html>nothing here'));
  await expect(quick(server).submit('acme.a', {})).rejects.toMatchObject({
    code: 'http_404',
    message: 'POST /v1/queues/acme.a/jobs: expected an answer of Proofline, got 404: <html>nothing here',
  });
});

test('error: a server that is not there, and one that does not answer, are told apart', async () => {
  const nowhere = createClient({ url: 'http://127.0.0.1:1', key: 'k', retries: 1, backoff: 1 });
  await expect(nowhere.submit('acme.a', {})).rejects.toMatchObject({
    code: 'unreachable',
    status: 0,
    retryable: true,
    message: expect.stringMatching(/^POST .* expected an answer of http:\/\/127\.0\.0\.1:1, got none \(.+\)/),
  });
  await using server = await scriptedServer(() => {});
  const impatient = quick(server, { retries: 1, timeout: 30 });
  await expect(impatient.submit('acme.a', {})).rejects.toMatchObject({ code: 'timeout', retryable: true });
  expect(server.requests).toHaveLength(2);
});

test('error: a signal ends a submit with its own reason, also between two tries', async () => {
  const stop = new AbortController();
  await using server = await scriptedServer(({ before }, response) => {
    if (before > 0) return;
    problem(response, 503, 'unavailable', 'restarting', { headers: { 'retry-after': '20' } });
    setTimeout(() => stop.abort(new Error('enough')), 20);
  });
  await expect(quick(server).submit('acme.a', {}, { signal: stop.signal })).rejects.toThrow('enough');
  expect(server.requests).toHaveLength(1);
});

test('error: an address or a key that is none is refused before anything is sent', () => {
  expect(() => createClient({ url: '127.0.0.1:4000', key: 'k' })).toThrow(/url: expected an address/);
  for (const key of ['', 'a b', 'a\n'])
    expect(() => createClient({ url: 'http://a.example', key })).toThrow(/key: expected a key/);
  expect(createClient({ url: 'https://a.example/base//', key: 'k' }).url).toBe('https://a.example/base');
});

test('without an address and a key those of the environment are taken', async () => {
  await using server = await scriptedServer((_, response) => json(response, 202, { id: 'job-1' }));
  vi.stubEnv('PROOFLINE_URL', server.url);
  vi.stubEnv('PROOFLINE_KEY', 'sk-around');
  const client = createClient();
  vi.unstubAllEnvs();
  await client.submit('acme.a', {});
  expect([client.url, server.requests[0]?.headers['authorization']]).toEqual([server.url, 'Bearer sk-around']);
});

test('any route is called with a body, and an empty answer is undefined', async () => {
  await using server = await scriptedServer(({ method }, response) =>
    method === 'DELETE' ? void response.writeHead(204).end() : json(response, 200, { ok: true }),
  );
  const client = quick(server);
  expect(await client.call('PUT', '/v1/queues/acme.a', { body: { contract: 1 } })).toEqual({ ok: true });
  expect(server.requests[0]?.text).toBe('{"contract":1}');
  expect(await client.call('DELETE', '/v1/workers/1')).toBeUndefined();
});

test.each([
  [() => new URL('no address').host, 'got an error: Invalid URL'],
  [() => 7 as never, 'got number'],
  [() => '', 'got an empty one'],
])('a group that cannot be said of a payload is refused before anything is sent', async (group, words) => {
  await using server = await scriptedServer((_, response) => json(response, 202, accepted));
  await expect(quick(server).submit({ name: 'acme.resize-image', group }, {})).rejects.toThrow(
    new RegExp(`group of acme.resize-image: .*${words}`),
  );
  expect(server.requests).toEqual([]);
});
