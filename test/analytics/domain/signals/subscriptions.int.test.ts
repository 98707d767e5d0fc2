import { expect, test } from 'vitest';
import type { Signal, SignalKind } from '#src/analytics/domain/signals/signals-schema.ts';
import { makeAlerts } from '#test/analytics/alert-fixture.ts';
import { testApi } from '#test/http/api.ts';
import { openSse, openWebSocket } from '#test/http/streams.ts';

async function alertApi(settings: Readonly<Record<string, string>> = {}) {
  const api = await testApi({ FEED: 'none', ...settings });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { headers } = await api.key();
  let order = 0;
  const alert = async (symbol: string, kind: SignalKind) => {
    order++;
    const signals = [{ id: `${symbol}.${kind}.${order}`, symbol, kind } as Signal];
    await makeAlerts(api.context, symbol, { id: `tick-${order}`, order, signals });
  };
  return { ...api, url, headers, alert };
}
const say = (client: ReturnType<typeof openWebSocket>, message: unknown) =>
  client.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
const closeOf = (client: ReturnType<typeof openWebSocket>) =>
  new Promise<[number, string]>((resolve) =>
    client.socket.on('close', (code, reason) => resolve([code, String(reason)])),
  );

test('a client chooses on its WebSocket which events it gets: acknowledged, a snapshot first, each event once', async () => {
  await using api = await alertApi();
  await api.alert('SPX', 'pin');
  await api.alert('SPY', 'pin');
  const client = openWebSocket(`${api.url}/ws/v1/alerts`, api.headers);
  await client.next(1);
  say(client, { type: 'subscribe', symbols: ['spx', 'SPX'], kinds: ['pin', 'flip_breach'] });
  const [, subscribed, snapshot] = await client.next(3);
  const spx = { symbols: ['SPX'], kinds: ['flip_breach', 'pin'] };
  expect(subscribed).toMatchObject({ type: 'subscribed', data: { subscription: spx, subscriptions: 1 } });
  expect(snapshot).toMatchObject({ type: 'snapshot', data: { recent: [{ id: 'SPX.pin.1' }] } });
  // one that overlaps: what fits both comes once
  say(client, { type: 'subscribe', kinds: ['pin'] });
  await client.next(5);
  for (const [symbol, kind] of [
    ['SPX', 'pin'],
    ['QQQ', 'gtbr_breach'],
    ['QQQ', 'pin'],
    ['SPX', 'flip_breach'],
  ] as const)
    await api.alert(symbol, kind);
  const told = (await client.next(8)).slice(5);
  expect(told.map(({ data }) => (data as Signal).id)).toEqual(['SPX.pin.3', 'QQQ.pin.5', 'SPX.flip_breach.6']);
  // numbers are those of the whole stream, so that a cursor fits any filter
  expect(told.map(({ id }) => Number(id?.split('.')[1]))).toEqual([3, 5, 6]);
  say(client, { type: 'unsubscribe', kinds: ['pin'] });
  expect((await client.next(9))[8]).toMatchObject({ type: 'unsubscribed', data: { subscriptions: 1 } });
  await api.alert('QQQ', 'pin');
  await api.alert('SPX', 'pin');
  expect((await client.next(10))[9]?.data).toMatchObject({ id: 'SPX.pin.8' });
  client.socket.close();
});

test('a message that cannot be followed is answered with a typed error, and changes nothing', async () => {
  await using api = await alertApi();
  await api.alert('SPX', 'anomaly');
  const client = openWebSocket(`${api.url}/ws/v1/alerts?kinds=pin`, api.headers);
  await client.next(1);
  const bad: [message: unknown, code: string, says: RegExp][] = [
    ['{"type": ', 'invalid_request', /not JSON/],
    [[1], 'invalid_request', /^message: expected object, got an array/],
    [{ type: 'listen' }, 'invalid_request', /^message\.type: expected .*subscribe.*got "listen"/],
    [{ type: 'subscribe', kinds: ['x'] }, 'invalid_request', /^message\.kinds\[0\]: expected .*"pin".*got "x"/],
    [{ type: 'subscribe', kind: ['pin'] }, 'invalid_request', /^message\.kind: expected no such property/],
    [{ type: 'subscribe', symbols: [] }, 'invalid_request', /^message\.symbols: expected at least 1 item,/],
    [{ type: 'subscribe', symbols: ['DAX'] }, 'unknown_symbol', /SPX, SPY, QQQ, IWM, NDX, RUT.*DAX/],
    [{ type: 'unsubscribe', symbols: ['SPX'] }, 'not_found', /\{"symbols":\["SPX"\]\}/],
  ];
  for (const [message] of bad) say(client, message);
  const answers = (await client.next(1 + bad.length)).slice(1);
  expect(answers).toEqual(
    bad.map(([, code, says]) =>
      expect.objectContaining({ type: 'error', data: { code, detail: expect.stringMatching(says) } }),
    ),
  );
  await api.alert('SPX', 'flip_breach');
  await api.alert('SPX', 'pin');
  expect((await client.next(2 + bad.length)).at(-1)?.data).toMatchObject({ kind: 'pin' });
  client.socket.close();
});

test('10,000 subscriptions on one connection are refused with a close code and a reason', async () => {
  await using api = await alertApi();
  const [many, same] = [0, 1].map(() => openWebSocket(`${api.url}/ws/v1/alerts`, api.headers));
  if (!many || !same) throw new Error('expected two clients');
  await Promise.all([many.next(1), same.next(1)]);
  const [manyClosed, sameClosed] = [closeOf(many), closeOf(same)];
  const symbols = ['SPX', 'SPY', 'QQQ', 'IWM', 'NDX', 'RUT'];
  const kinds = ['pin', 'flip_breach', 'wall_test', 'wall_break', 'charm_drift', 'gtbr_breach', 'anomaly'];
  const subset = (of: readonly string[], bits: number) => of.filter((_one, index) => (bits >> index) & 1);
  for (let n = 0; n < 10_000; n++) {
    const wish = { symbols: subset(symbols, 1 + (n % 63)), kinds: subset(kinds, 1 + (Math.floor(n / 63) % 127)) };
    say(many, { type: 'subscribe', ...wish });
    say(same, { type: 'subscribe', kinds: ['pin'] });
  }
  expect(await manyClosed).toEqual([4429, 'expected at most 100 subscriptions of a connection, got one more.']);
  expect(await sameClosed).toEqual([4429, 'expected at most 1000 messages between heartbeats, got more.']);
  expect(many.messages.filter(({ type }) => type === 'subscribed')).toHaveLength(100);
  expect(many.messages.at(-1)).toMatchObject({ type: 'error', data: { code: 'quota_exceeded' } });
});

test('streams of a key above its bound are refused: a WebSocket with a close code and a reason, SSE with 429', async () => {
  await using api = await alertApi({ STREAMS_PER_KEY: '2' });
  const open = [0, 1].map(() => openWebSocket(`${api.url}/ws/v1/stream/SPX`, api.headers));
  await Promise.all(open.map((one) => one.next(1)));
  const reason = 'expected at most 2 open streams of a key, got one more.';
  const third = openWebSocket(`${api.url}/ws/v1/alerts`, api.headers);
  expect(await closeOf(third)).toEqual([4429, reason]);
  expect(third.messages).toMatchObject([{ type: 'error', data: { code: 'quota_exceeded', detail: reason } }]);
  const sse = await fetch(`${api.url}/v1/alerts`, { headers: api.headers });
  expect([sse.status, await sse.json()]).toMatchObject([429, { code: 'quota_exceeded', detail: reason }]);
  // the others go on, and who leaves makes room
  const gone = closeOf(open[0] as (typeof open)[0]);
  open[0]?.socket.close();
  await gone;
  for (let type = 'error'; type === 'error'; ) {
    const again = openWebSocket(`${api.url}/ws/v1/alerts`, api.headers);
    type = (await again.next(1))[0]?.type ?? '';
    again.socket.close();
  }
  open[1]?.socket.close();
});

test('a heartbeat is an event that carries the cursor, also where the filter lets nothing through', async () => {
  await using api = await alertApi({ STREAM_HEARTBEAT_MS: '300000' });
  const client = openWebSocket(`${api.url}/ws/v1/alerts?kinds=pin`, api.headers, { heartbeats: true });
  const sse = await openSse(`${api.url}/v1/alerts?kinds=pin`, api.headers);
  const [first] = await client.next(1);
  expect([first?.type, (await sse.events.next()).value?.event]).toEqual(['snapshot', 'snapshot']);
  const other = openWebSocket(`${api.url}/ws/v1/alerts`, api.headers);
  await other.next(1);
  await api.alert('SPX', 'anomaly');
  // the first event of a new epoch resets every client
  const [, reset] = await other.next(2);
  expect((await client.next(2))[1]).toMatchObject({ type: 'reset', id: reset?.id, data: { snapshot: { recent: [] } } });
  await api.alert('SPX', 'anomaly');
  const passed = (await other.next(3))[2]?.id;
  api.hub.heartbeat();
  expect((await client.next(3))[2]).toMatchObject({ type: 'heartbeat', id: passed });
  expect((await sse.events.next()).value?.event).toBe('reset');
  expect((await sse.events.next()).value).toMatchObject({ event: 'heartbeat', id: passed });
  await api.alert('SPX', 'pin');
  const resumed = openWebSocket(`${api.url}/ws/v1/alerts?kinds=pin&last_event_id=${passed}`, api.headers);
  expect((await resumed.next(1))[0]).toMatchObject({ type: 'pin', data: { symbol: 'SPX' } });
  for (const one of [client, other, resumed]) one.socket.close();
  sse.close();
});
