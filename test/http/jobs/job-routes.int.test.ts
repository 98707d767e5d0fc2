import { once } from 'node:events';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { acceptedResponse, answerWithJob, WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { waitForJob } from '#src/jobs/read/wait-for-job.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { until } from '#test/helpers/processes.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { testApi } from '#test/http/api.ts';
import { openSse, openWebSocket } from '#test/http/streams.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** An API with a route that creates trial jobs, and a relay; `fleet` starts a worker. */
async function system(settings: Record<string, string> = {}) {
  const api = await testApi({ LEASE_MS: '1500', BEAT_MS: '200', ...settings }, (app, edge) => {
    app.post(
      '/test/work',
      {
        schema: {
          headers: WorkHeaders,
          body: trial.payload,
          response: { 200: Type.Unsafe<unknown>({}), ...acceptedResponse },
        },
      },
      async (request, reply) => {
        return await answerWithJob(edge, request, reply, trial, {
          payload: () => request.body as never,
          present: (result) => ({ data: result }),
        });
      },
    );
  });
  startRelay(api.context);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const fleet = async () =>
    await startFleet(api.context, {
      name: 'trial',
      handlers,
      module: new URL('../../helpers/trial.ts', import.meta.url),
      concurrency: 20,
    });
  const post = async (payload: object, headers: Record<string, string>) =>
    await api.app.inject({ method: 'POST', url: '/test/work', payload, headers });
  return {
    ...api,
    url,
    fleet,
    post,
    job: async (payload: never, owner = 'owner-1') =>
      (await submit(api.context, trial, { principal: { owner }, payload })).job,
    [Symbol.asyncDispose]: api[Symbol.asyncDispose],
  };
}

test('work that ends in time is answered with its result, once per idempotency key', async () => {
  await using api = await system();
  const fleet = await api.fleet();
  const { headers } = await api.key();
  const first = await api.post({ do: 'succeed' }, { ...headers, 'idempotency-key': 'k1' });
  expect([first.statusCode, first.json()]).toEqual([200, { data: expect.anything() }]);
  const again = await api.post({ do: 'succeed' }, { ...headers, 'idempotency-key': 'k1' });
  expect([again.statusCode, again.headers['x-job-id'], again.headers['idempotency-replayed']]).toEqual([
    200,
    first.headers['x-job-id'],
    'true',
  ]);
  const other = await api.post({ do: 'fail' }, { ...headers, 'idempotency-key': 'k1' });
  expect(other.json()).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  expect(other.headers['x-should-retry']).toBe('false');
  const bad = await api.post({ do: 'succeed' }, { ...headers, 'idempotency-key': 'two words' });
  expect(bad.json()).toMatchObject({ status: 400, errors: [{ field: 'header.idempotency-key', value: 'two words' }] });
  await fleet.drain();
});

test('a job that fails answers with its own code as a problem', async () => {
  await using api = await system();
  const fleet = await api.fleet();
  const response = await api.post({ do: 'fail' }, (await api.key()).headers);
  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(response.json()).toMatchObject({ code: expect.any(String), details: { job: response.headers['x-job-id'] } });
  expect(response.headers['content-type']).toBe('application/problem+json');
  await fleet.drain();
});

test('respond-async and a wait that ends early are answered 202 with the place of the job', async () => {
  await using api = await system();
  const { headers } = await api.key();
  for (const prefer of ['respond-async', 'wait=0', 'wait=1']) {
    const response = await api.post({ do: 'succeed' }, { ...headers, prefer });
    expect([response.statusCode, response.headers['preference-applied']]).toEqual([202, prefer]);
    const job = response.json() as { id: string; state: string; links: object };
    expect(response.headers['location']).toBe(`/v1/jobs/${job.id}`);
    expect(job).toMatchObject({
      state: 'queued',
      links: { self: `/v1/jobs/${job.id}`, events: `/v1/jobs/${job.id}/events`, websocket: `/ws/v1/jobs/${job.id}` },
    });
  }
});

/** Settles once a job was accepted. */
async function submitted({ metrics }: Context): Promise<void> {
  for (let accepted = 0; accepted === 0; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const { values } = await metrics.proofline_jobs_submitted_total.get();
    accepted = values.reduce((sum, { value }) => sum + value, 0);
  }
}

test('requests that wait are answered when the process stops', async () => {
  await using api = await system();
  const { headers } = await api.key();
  const answer = fetch(`${api.url}/test/work`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ do: 'succeed' }),
  });
  await submitted(api.context);
  await api.app.close();
  expect((await answer).status).toBe(202);
});

test('a request that begins to wait when the process stops already is answered at once', async () => {
  await using api = await system();
  const { id } = await api.job({ do: 'succeed' } as never);
  // a wait of an hour would outlast the test
  const job = await waitForJob(api.context, api.hub, id, 3_600_000, AbortSignal.abort());
  expect(job).toMatchObject({ id, state: 'queued' });
});

test('an owner whose queue is full gets 429, but may repeat what was accepted', async () => {
  await using api = await system({ OWNER_QUEUE_DEPTH: '2' });
  const { headers } = await api.key();
  const ask = async (key: string) =>
    await api.post({ do: 'succeed' }, { ...headers, prefer: 'respond-async', 'idempotency-key': key });
  expect([(await ask('a')).statusCode, (await ask('b')).statusCode]).toEqual([202, 202]);
  const third = await ask('c');
  expect([third.statusCode, third.json().code, third.headers['retry-after']]).toEqual([429, 'quota_exceeded', '5']);
  expect((await ask('a')).statusCode).toBe(202);
});

test('a job is seen, listed, followed and cancelled by its owner and by operators; for others it does not exist', async () => {
  await using api = await system();
  const [mine, stranger, operator] = [
    await api.key(),
    await api.key({ owner: 'owner-2' }),
    await api.key({ owner: 'ops', operator: true }),
  ];
  const { id } = await api.job({ do: 'succeed' } as never);
  const ask = async (headers: Record<string, string>, method: 'GET' | 'DELETE' | 'POST' = 'GET', path = '') =>
    (await api.app.inject({ method, url: `/v1/jobs/${id}${path}`, headers })).statusCode;
  expect([await ask(mine.headers), await ask(stranger.headers), await ask(operator.headers)]).toEqual([200, 404, 200]);
  expect([
    await ask(stranger.headers, 'DELETE'),
    await ask(stranger.headers, 'GET', '/events'),
    await ask(mine.headers, 'POST', '/redrive'),
  ]).toEqual([404, 404, 409]);
  const list = async (headers: Record<string, string>) =>
    (await api.app.inject({ url: '/v1/jobs', headers })).json().data.length;
  expect([await list(mine.headers), await list(stranger.headers), await list(operator.headers)]).toEqual([1, 0, 1]);
  expect(await openWebSocket(`${api.url}/ws/v1/jobs/${id}`, stranger.headers).refused).toBe(404);
  expect(await openWebSocket(`${api.url}/ws/v1/jobs/${id}`, {}).refused).toBe(401);
  const cancelled = await api.app.inject({ method: 'DELETE', url: `/v1/jobs/${id}`, headers: mine.headers });
  expect(cancelled.json()).toMatchObject({ id, state: 'cancelled', finished_at: expect.any(String) });
  expect(await ask(mine.headers, 'DELETE')).toBe(409);
  expect(await ask(operator.headers, 'POST', '/redrive')).toBe(409);
});

test('SSE and WebSocket tell the same events of a job, from the first to the last, and close', async () => {
  await using api = await system();
  const { headers } = await api.key();
  const { id } = await api.job({ do: 'succeed' } as never);
  const sse = await openSse(`${api.url}/v1/jobs/${id}/events`, headers);
  const ws = openWebSocket(`${api.url}/ws/v1/jobs/${id}`, headers);
  await ws.next(1);
  const fleet = await api.fleet();
  const events = await Array.fromAsync(sse.events);
  expect(await ws.closed).toBe(1000);
  const durable = events.filter((event) => event.id);
  expect(durable.map(({ event }) => event)).toEqual(['queued', 'started', 'succeeded']);
  expect(durable.map((event) => JSON.parse(event.data))).toEqual(ws.messages.filter((message) => message.id));
  expect(durable.map((event) => event.id?.split('.')[1])).toEqual(['1', '2', '3']);
  expect(Object.fromEntries(sse.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
  });
  const from = async (cursor: string, more: Record<string, string> = {}) =>
    await openSse(`${api.url}/v1/jobs/${id}/events?last_event_id=${cursor}`, { ...headers, ...more });
  const resumed = await Array.fromAsync((await from(durable[0]?.id ?? '')).events);
  expect(resumed.map(({ event }) => event)).toEqual(['started', 'succeeded']);
  const newer = await Array.fromAsync(
    (await from(durable[0]?.id ?? '', { 'last-event-id': durable[1]?.id ?? '' })).events,
  );
  expect(newer.map(({ event }) => event)).toEqual(['succeeded']);
  expect((await from(durable[2]?.id ?? '')).response.status).toBe(204);
  expect((await from('nonsense')).response.status).toBe(400);
  const foreign = await Array.fromAsync((await from('0ther.2')).events);
  expect(foreign.map(({ event }) => event)).toEqual(['reset']);
  expect(JSON.parse(foreign[0]?.data ?? '')).toMatchObject({
    id: durable[2]?.id,
    data: { reason: 'epoch', snapshot: { id, state: 'succeeded' } },
  });
  const late = openWebSocket(`${api.url}/ws/v1/jobs/${id}?last_event_id=${durable[1]?.id}`, headers);
  expect([await late.closed, late.messages.map(({ type }) => type)]).toEqual([1000, ['succeeded']]);
  await fleet.drain();
});

test('a revoked key loses its open streams, with a typed event', async () => {
  await using api = await system();
  const { headers, id: keyId } = await api.key();
  const { id } = await api.job({ do: 'succeed' } as never);
  const sse = await openSse(`${api.url}/v1/jobs/${id}/events`, headers);
  const ws = openWebSocket(`${api.url}/ws/v1/jobs/${id}`, headers);
  await ws.next(1);
  const { revokeKey } = await import('#src/access/keys/keys.ts');
  await revokeKey(api.context, keyId, null);
  expect((await Array.fromAsync(sse.events)).map(({ event }) => event)).toEqual(['queued', 'revoked']);
  expect(await ws.closed).toBe(4401);
  expect(ws.messages.at(-1)).toMatchObject({ type: 'revoked', data: { reason: 'revoked' } });
});

test('a process that stops ends its streams: SSE with a time to come back, WebSocket with 1001', async () => {
  await using api = await system();
  const { headers } = await api.key();
  const { id } = await api.job({ do: 'succeed' } as never);
  const sse = await openSse(`${api.url}/v1/jobs/${id}/events`, headers);
  const ws = openWebSocket(`${api.url}/ws/v1/jobs/${id}`, headers);
  await ws.next(1);
  expect(api.hub.size()).toBe(2);
  await api.app.close();
  expect((await Array.fromAsync(sse.events)).map(({ event }) => event)).toEqual(['queued']);
  expect(await ws.closed).toBe(1001);
});

test('a WebSocket that answers no ping is cut off; one that does stays; an SSE client hears a comment', async () => {
  await using api = await system();
  const { headers } = await api.key();
  const { id } = await api.job({ do: 'succeed' } as never);
  const sse = await openSse(`${api.url}/v1/jobs/${id}/events`, headers);
  const first = await sse.events.next();
  expect(first.value?.event).toBe('queued');
  // its answer ends with the process; what is asked for here is that it is read
  const read = sse.events.next();
  const [dead, alive] = [
    openWebSocket(`${api.url}/ws/v1/jobs/${id}`, headers),
    openWebSocket(`${api.url}/ws/v1/jobs/${id}`, headers),
  ];
  await Promise.all([dead.next(1), alive.next(1)]);
  dead.socket.pause();
  const ponged = new Promise((resolve) => alive.socket.once('ping', resolve));
  api.hub.heartbeat();
  await ponged;
  // the pong is on its way before anything the client sends now; which of the two the server has first is open
  const heard = Promise.race([...api.app.websocketServer.clients].map(async (served) => await once(served, 'message')));
  alive.socket.send('x');
  await heard;
  await until(() => sse.comments.length > 0);
  api.hub.heartbeat();
  dead.socket.resume();
  expect(await dead.closed).toBe(1006);
  expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  await api.app.close();
  expect(await read).toMatchObject({ done: true });
});

test('a job is cancelled with the scope that asks for such work, or by an operator', async () => {
  await using api = await system();
  const { id } = await api.job({ do: 'succeed' } as never);
  const cancel = async (request: object) =>
    (await api.app.inject({ method: 'DELETE', url: `/v1/jobs/${id}`, headers: (await api.key(request)).headers }))
      .statusCode;
  expect([
    await cancel({ scopes: [] }),
    await cancel({ scopes: ['studio.render'] }),
    await cancel({ scopes: [], operator: true }),
  ]).toEqual([403, 403, 200]);
});

test('ids and filters that Postgres would choke on are refused with 400', async () => {
  await using api = await system();
  const { headers } = await api.key();
  const id = 'urn:uuid:0198c0de-0000-7000-8000-000000000000';
  for (const path of [`/v1/jobs/${id}`, `/v1/jobs/${id}/events`, '/v1/jobs?queue=%00', '/v1/jobs?queue=a%00b'])
    expect([path, (await api.app.inject({ url: path, headers })).statusCode]).toEqual([path, 400]);
});
