import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/keys.ts';
import { openChanges } from '#src/http/jobs/publish-changes.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { testApi } from '#test/http/api.ts';
import { openSse, openWebSocket } from '#test/http/streams.ts';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

let api: RemoteApi;
let url: string;
beforeAll(async () => {
  api = await remoteApi({ LEASE_MS: '60000' });
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => await api[Symbol.asyncDispose]());

const make = async (body: object, headers: Readonly<Record<string, string>>) => {
  const answer = await api.app.inject({ method: 'POST', url: '/v1/stream-tokens', headers, payload: body });
  expect([answer.statusCode, answer.body]).toEqual([201, answer.body]);
  return answer.json() as { id: string; token: string; sse: string; websocket: string };
};
const statusOf = async (path: string, headers: Record<string, string> = {}) => {
  const { response, close } = await openSse(`${url}${path}`, headers);
  close();
  return response.status;
};
/** Reads events until the stream ends; answers their types. */
const typesOf = async (events: AsyncIterable<{ event?: string | undefined }>): Promise<string[]> => {
  const types: string[] = [];
  for await (const { event } of events) types.push(event ?? '');
  return types;
};

test('a token opens its job by SSE and WebSocket, from any page, and nothing else', async () => {
  const { headers } = await api.key();
  const [mine, other] = [await api.submit(1), await api.submit(2)];
  const { token, sse, websocket } = await make({ job: mine }, headers);
  expect(sse).toBe(`/v1/jobs/${mine}/events?token=${token}`);
  const stream = await openSse(`${url}${sse}`, { origin: 'https://elsewhere.example' });
  expect(stream.response.status).toBe(200);
  expect((await stream.events.next()).value).toMatchObject({ event: 'queued' });
  stream.close();
  const socket = openWebSocket(`${url}${websocket}`, { origin: 'https://elsewhere.example' });
  expect((await socket.next(1))[0]).toMatchObject({ type: 'queued' });
  socket.socket.close();
  expect(await statusOf(`/v1/jobs/${mine}/events`, { authorization: `Bearer ${token}` })).toBe(200);
  const refused = [
    `/v1/jobs/${other}/events`,
    '/v1/jobs/events',
    `/v1/jobs/${mine}`,
    '/v1/jobs',
    '/v1/stream/SPX',
    '/v1/alerts',
    '/api/v1/keys',
  ];
  for (const path of refused)
    expect([path, await statusOf(path, { authorization: `Bearer ${token}` })]).toEqual([path, 403]);
  expect(await statusOf(`/v1/jobs/${mine}/events?token=st-${'x'.repeat(43)}`)).toBe(401);
  expect(await statusOf(`/v1/jobs/${mine}/events?token=st-short`)).toBe(401);
});

test('a token for a queue shows the jobs of that queue alone, and one for a symbol its market', async () => {
  await using live = await testApi();
  await using _relay = startRelay(live.context, openChanges);
  const at = await live.app.listen({ port: 0, host: '127.0.0.1' });
  const { headers } = await live.key();
  const send = async (method: 'POST' | 'PUT', path: string, payload: object) => {
    const answer = await live.app.inject({
      method,
      url: path,
      headers: { ...headers, prefer: 'respond-async' },
      payload,
    });
    expect([answer.statusCode < 300, answer.body]).toEqual([true, answer.body]);
    return answer.json();
  };
  const contract = { title: 'A queue', payload: { type: 'object' }, result: { type: 'object' } };
  for (const name of ['acme.one', 'acme.two']) await send('PUT', `/v1/queues/${name}`, { contract });
  const { sse, websocket } = await send('POST', '/v1/stream-tokens', { queue: 'acme.two' });
  const stream = await openSse(`${at}${sse}`, {});
  expect((await stream.events.next()).value).toMatchObject({ event: 'snapshot' });
  const socket = openWebSocket(`${at}${websocket}`, {});
  await socket.next(1);
  await send('POST', '/v1/queues/acme.one/jobs', { payload: {} });
  const { id } = await send('POST', '/v1/queues/acme.two/jobs', { payload: {} });
  const next = async () => {
    for await (const { event, data } of stream.events) if (event === 'job') return JSON.parse(data).data;
    return null;
  };
  expect(await next()).toMatchObject({ id, queue: 'acme.two' });
  const named = (await socket.next(2)).filter(({ type }) => type === 'job');
  expect(named.map(({ data }) => (data as { id: string }).id)).toEqual([id]);
  stream.close();
  socket.socket.close();
  const market = await make({ symbol: 'spx' }, (await api.key()).headers);
  expect([await statusOf(market.sse), await statusOf(market.sse.replace('SPX', 'NDX'))]).toEqual([200, 403]);
});

test('its streams end when it is revoked, and when the key that made it is', async () => {
  const maker = await api.key();
  const ends = [
    async (token: { id: string }) =>
      expect(
        (await api.app.inject({ method: 'DELETE', url: `/v1/stream-tokens/${token.id}`, headers: maker.headers }))
          .statusCode,
      ).toBe(204),
    async () => void (await revokeKey(api.context, maker.id, null)),
  ];
  for (const end of ends) {
    const token = await make({ job: await api.submit(4) }, maker.headers);
    const stream = await openSse(`${url}${token.sse}`, {});
    const socket = openWebSocket(`${url}${token.websocket}`, {});
    await socket.next(1);
    await end(token);
    expect(await typesOf(stream.events)).toContain('revoked');
    expect(await socket.closed).toBe(4401);
    expect(await statusOf(token.sse)).toBe(401);
  }
});

test('error: one stream exactly, of what the caller may see, for an hour at most', async () => {
  const { headers } = await api.key();
  const job = await api.submit(5);
  for (const [payload, status] of [
    [{}, 400],
    [{ job, queue: 'acme.resize-image' }, 400],
    [{ job, ttl_s: 3_601 }, 400],
    [{ job: crypto.randomUUID() }, 404],
    [{ symbol: '../x' }, 400],
  ] as const) {
    const answer = await api.app.inject({ method: 'POST', url: '/v1/stream-tokens', headers, payload });
    expect([payload, answer.statusCode]).toEqual([payload, status]);
  }
  const stranger = await api.key({ owner: 'owner-2' });
  const refused = await api.app.inject({
    method: 'POST',
    url: '/v1/stream-tokens',
    headers: stranger.headers,
    payload: { job },
  });
  expect(refused.statusCode).toBe(404);
  const { id, token } = await make({ job }, headers);
  const gone = { method: 'DELETE', url: `/v1/stream-tokens/${id}`, headers: stranger.headers } as const;
  expect((await api.app.inject(gone)).statusCode).toBe(404);
  // a token makes no token
  const again = { method: 'POST', url: '/v1/stream-tokens', payload: { job } } as const;
  expect((await api.app.inject({ ...again, headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(403);
});
