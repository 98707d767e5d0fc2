import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/keys.ts';
import { writeSession } from '#src/access/sessions/session-store.ts';
import { deadTokens, findToken, makeToken } from '#src/access/stream-tokens/token-store.ts';
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

test('every kind ends by SSE and WebSocket when its time is over', async () => {
  const { headers } = await api.key();
  const flow = { nodes: [{ name: 'one', queue: 'acme.resize-image', payload: { width: 1 } }] };
  const begun = await api.app.inject({
    method: 'POST',
    url: '/v1/flows',
    headers: { ...headers, prefer: 'respond-async' },
    payload: flow,
  });
  expect([begun.statusCode, begun.body]).toEqual([202, begun.body]);
  const kinds = [
    { job: await api.submit(6) },
    { flow: begun.json().id as string },
    { queue: 'acme.resize-image' },
    { symbol: 'SPX' },
  ];
  for (const body of kinds) {
    const token = await make(body, headers);
    const stream = await openSse(`${url}${token.sse}`, {});
    expect([body, stream.response.status]).toEqual([body, 200]);
    const socket = openWebSocket(`${url}${token.websocket}`, {});
    await socket.opened;
    await api.context.db.query(sql.unsafe`
      update stream_tokens set expires_at = now() - interval '1 second' where id = ${token.id}`);
    expect([body, await typesOf(stream.events)]).toEqual([body, expect.arrayContaining(['revoked'])]);
    expect([body, await socket.closed]).toEqual([body, 4401]);
    expect([body, await statusOf(token.sse)]).toEqual([body, 401]);
  }
});

test('one for another owner’s job ends with the role of its maker: of a key, and of a person', async () => {
  const operator = await api.key({ owner: 'olga', operator: true });
  const token = await make({ job: await api.submit(7) }, operator.headers);
  const stream = await openSse(`${url}${token.sse}`, {});
  expect(stream.response.status).toBe(200);
  await api.context.db.query(sql.unsafe`update keys set operator = false where id = ${operator.id}`);
  expect(await typesOf(stream.events)).toContain('revoked');
  const { config } = api.context;
  const as = (settings: Partial<typeof config>) => ({ ...api.context, config: { ...config, ...settings } });
  const issuer = 'https://id.example';
  const present = { OIDC_ISSUER: issuer, OIDC_ALLOWLIST: ['@example.com'], OIDC_OPERATORS: ['olga@example.com'] };
  const person = { issuer, subject: 'olga', email: 'olga@example.com', since: Date.now(), until: Date.now() + 60_000 };
  await writeSession(api.context, 'session-1', { person });
  const session = { id: 'session-1', email: person.email, identity: { issuer, subject: 'olga' }, until: new Date() };
  const wanted = { kind: 'job', subject: crypto.randomUUID(), seconds: 60 } as const;
  const maker = { keyId: null, session, owner: 'olga' };
  const own = await makeToken(api.context, maker, { ...wanted, owner: 'olga' });
  const others = await makeToken(api.context, maker, { ...wanted, owner: 'ada' });
  const dead = async (settings: Partial<typeof config>) =>
    (await deadTokens(as(settings), [own.id, others.id])).map(({ id }) => id);
  expect(await dead(present)).toEqual([]);
  expect(await dead({ ...present, OIDC_OPERATORS: [] })).toEqual([others.id]);
  expect(await dead({ ...present, OIDC_OPERATORS: [], OIDC_ALLOWLIST: [] })).toEqual([own.id, others.id]);
  expect(await findToken(as({ ...present, OIDC_OPERATORS: [] }), others.token)).toBeNull();
});

test('no answer of an error and no metric has a token', async () => {
  await using quiet = await testApi();
  const { headers } = await quiet.key();
  const answer = await quiet.app.inject({
    method: 'POST',
    url: '/v1/stream-tokens',
    headers,
    payload: { queue: 'acme.resize-image' },
  });
  const { token } = answer.json() as { token: string };
  const at = await quiet.app.listen({ port: 0, host: '127.0.0.1' });
  const wrong = `st-${'y'.repeat(43)}`;
  const texts: string[] = [];
  for (const path of [
    `/v1/jobs/events?token=${token}`,
    `/v1/jobs?token=${token}`,
    `/v1/stream/SPX?token=${token}`,
    `/v1/jobs/events?token=${wrong}`,
    `/v1/jobs/events?token=${token}&token=${wrong}`,
    `/v1/jobs/events?token=${token}${'z'.repeat(200)}`,
    `/v1/nothing?token=${token}`,
  ]) {
    const { response, close } = await openSse(`${at}${path}`, {});
    if (!response.ok) texts.push(await response.text());
    close();
  }
  texts.push(await quiet.context.metrics.registry.metrics());
  for (const text of texts) expect(text).not.toMatch(/st-[\w-]{20}/);
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
    [{ queue: 'acme.no-such' }, 404],
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
  const ofQueue = { method: 'POST', url: '/v1/stream-tokens', headers: stranger.headers } as const;
  expect((await api.app.inject({ ...ofQueue, payload: { queue: 'acme.resize-image' } })).statusCode).toBe(404);
  const { id, token } = await make({ job }, headers);
  const gone = { method: 'DELETE', url: `/v1/stream-tokens/${id}`, headers: stranger.headers } as const;
  expect((await api.app.inject(gone)).statusCode).toBe(404);
  // a token makes no token
  const again = { method: 'POST', url: '/v1/stream-tokens', payload: { job } } as const;
  expect((await api.app.inject({ ...again, headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(403);
});
