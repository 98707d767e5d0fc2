import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sql } from 'slonik';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { liveKeys, marketName } from '#src/analytics/live/publish-live.ts';
import { marketStreamDescription } from '#src/analytics/live/stream-routes.ts';
import { csvOf, market } from '#test/analytics/market.ts';
import { openWebSocket } from '#test/http/streams.ts';

const realChain = new URL('../../../../shared/data/cboe/spx-2023-09-14.csv.gz', import.meta.url);

test('an uploaded chain is analysed through the queue, and is its owner’s alone', async () => {
  await using api = await market();
  await api.feed('SPX');
  const [alice, bob] = [(await api.key({ owner: 'alice' })).headers, (await api.key({ owner: 'bob' })).headers];
  const uploaded = csvOf('SPX', 7);
  const snapshot = await api.call('POST', '/v1/snapshot', alice, { symbol: 'SPX', chain: uploaded });
  expect(snapshot).toMatchObject({
    status: 200,
    body: { symbol: 'SPX', generation: 1, synthetic: true, status: 'ok', data: { symbol: 'SPX' } },
  });
  const [own, other, feed] = [
    await api.call('GET', '/v1/gex/SPX', alice),
    await api.call('GET', '/v1/gex?symbol=spx', bob),
    await api.call('GET', '/v1/gex/SPX?from=feed', alice),
  ];
  expect(own.body.data).toMatchObject({ feed: 'own', net_gex: snapshot.body.data.exposures.net_gex });
  expect(other.body.data).toMatchObject({ feed: 'configured' });
  expect(feed.body.data).toEqual(other.body.data);
  expect(other.body.data.net_gex).not.toBe(own.body.data.net_gex);
  const again = await api.call('POST', '/v1/snapshot', alice, { symbol: 'SPX' });
  expect(again.body.data).toEqual(snapshot.body.data);
  const forgotten = await api.call('DELETE', '/v1/snapshot/SPX', alice);
  expect(forgotten).toMatchObject({ status: 200, body: { forgotten: 1 } });
  expect((await api.call('GET', '/v1/gex/SPX', alice)).body.data).toEqual(other.body.data);
});

test('the same upload under the same idempotency key is the same job; another one is a conflict', async () => {
  await using api = await market();
  const headers = { ...(await api.key()).headers, 'idempotency-key': 'upload-1' };
  const first = await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPY', chain: csvOf('SPY') });
  const again = await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPY', chain: csvOf('SPY') });
  expect([again.status, again.headers.get('x-job-id')]).toEqual([200, first.headers.get('x-job-id')]);
  const other = await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPY', chain: csvOf('SPY', 2) });
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
});

test('a repeated upload is neither read nor stored again: its key is looked up first', async () => {
  await using api = await market();
  const headers = { ...(await api.key()).headers, 'idempotency-key': 'upload-2' };
  const ask = async (seed = 1) =>
    await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPY', chain: csvOf('SPY', seed) });
  const first = await ask();
  expect(first.status).toBe(200);
  // a query that reads or stores a chain now fails
  await api.context.db.query(sql.unsafe`drop table chains`);
  const again = await ask();
  expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([200, 'true', first.body]);
  expect(await ask(2)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
});

test('a stress test is repeated under its key after its chains were forgotten', async () => {
  await using api = await market();
  const { headers } = await api.key();
  await api.call('POST', '/v1/snapshot', headers, { symbol: 'IWM', chain: csvOf('IWM') });
  const ask = async () =>
    await api.call('POST', '/v1/portfolio/stress', { ...headers, 'idempotency-key': 's' }, { symbols: ['IWM'] });
  const first = await ask();
  await api.call('DELETE', '/v1/snapshot/IWM', headers);
  expect(await ask()).toMatchObject({ status: 200, body: first.body });
});

test('the same request under the same key is the same job after the feed moved', async () => {
  await using api = await market();
  await api.feed('SPX');
  const headers = { ...(await api.key()).headers, 'idempotency-key': 'retry-1' };
  const ask = async (body: string) => await api.call('POST', '/v1/portfolio/stress', headers, body);
  const first = await ask('{"symbols": ["SPX"], "weights": [1]}');
  await api.feed('SPX', csvOf('SPX', 9));
  const again = await ask('{"weights": [1], "symbols": ["SPX"]}');
  expect([again.status, again.headers.get('x-job-id'), again.headers.get('idempotency-replayed')]).toEqual([
    200,
    first.headers.get('x-job-id'),
    'true',
  ]);
  expect(again.body.data).toEqual(first.body.data);
  expect(await ask('{"symbols": ["SPX"], "weights": [2]}')).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  });
});

test('readers of a chain without analytics share one job', async () => {
  await using api = await market();
  await api.feed('SPX');
  const headers = { ...(await api.key()).headers, prefer: 'respond-async' };
  await api.context.db.query(sql.unsafe`update chains set analytics = null, answers = null`);
  await api.context.redis.del(liveKeys(api.context.config, marketName('SPX')).answers);
  const answers = [await api.call('GET', '/v1/gex/SPX', headers), await api.call('GET', '/v1/gex/SPX', headers)];
  const [one, two] = answers.map((answer) => answer.headers.get('x-job-id'));
  // the second may find the analytics already
  expect([one, null]).toContain(two);
  expect(one).toEqual(expect.any(String));
});

test('a stress test answers one result per scenario, in request order, with parts that sum to the P&L', async () => {
  await using api = await market();
  await Promise.all([api.feed('SPX'), api.feed('QQQ')]);
  const { headers } = await api.key();
  const scenarios = [
    { spot_shock_pct: -7 },
    { vol_shock_pct: 30 },
    { spot_shock_pct: 3, vol_shock_pct: -10, days: 2 },
    { vol_shock_pct: 0, days: 1 },
  ];
  const { status, body } = await api.call('POST', '/v1/portfolio/stress', headers, {
    symbols: ['SPX', 'QQQ'],
    weights: [3, 1],
    scenarios,
  });
  expect(status).toBe(200);
  expect(body.data.before.map(({ symbol, weight }: any) => [symbol, weight])).toEqual([
    ['SPX', 0.75],
    ['QQQ', 0.25],
  ]);
  expect(
    body.data.results.map(({ spot_shock_pct, vol_shock_pct, days }: any) => [spot_shock_pct, vol_shock_pct, days]),
  ).toEqual([
    [-7, 0, 0],
    [0, 30, 0],
    [3, -10, 2],
    [0, 0, 1],
  ]);
  for (const { pnl, net_gex, members } of body.data.results) {
    const { gamma, vega, vanna, charm, theta, residual, delta } = pnl;
    expect((gamma + vega + vanna + charm + theta + residual) / pnl.hedged).toBeCloseTo(1, 9);
    expect((pnl.hedged + delta) / pnl.unhedged).toBeCloseTo(1, 9);
    expect((0.75 * members[0].result.net_gex + 0.25 * members[1].result.net_gex) / net_gex).toBeCloseTo(1, 9);
  }
  const defaults = await api.call('POST', '/v1/portfolio/stress', headers, { symbols: ['SPX'] });
  expect(defaults.body.data.results.map(({ spot_shock_pct }: any) => spot_shock_pct)).toEqual([-5, -2, 2, 5]);
  expect(defaults.body.symbol).toBe('SPX');
});

test('200 scenarios of six symbols run, in order; a stress test that is cancelled ends its threads', async () => {
  await using api = await market({ WAIT_MS: '60000' });
  const symbols = ['SPX', 'SPY', 'QQQ', 'IWM', 'NDX', 'RUT'] as const;
  await Promise.all(symbols.map((symbol) => api.feed(symbol)));
  const { headers } = await api.key();
  const scenarios = Array.from({ length: 200 }, (_, index) => ({ spot_shock_pct: index / 10 - 10 || 0.05 }));
  const accepted = await api.call(
    'POST',
    '/v1/portfolio/stress',
    { ...headers, prefer: 'respond-async' },
    { symbols, scenarios },
  );
  expect(accepted.status).toBe(202);
  const stream = openWebSocket(`${api.url}${accepted.body.links.websocket}`, headers);
  await stream.next(4);
  const cancelled = await api.call('DELETE', accepted.body.links.self, headers);
  expect(cancelled.body.state).toBe('cancelled');
  await stream.closed;
  expect(stream.messages.filter(({ id }) => id).map(({ type }) => type)).toEqual(['queued', 'started', 'cancelled']);
  const full = await api.call('POST', '/v1/portfolio/stress', headers, { symbols, scenarios });
  expect(full.body.data.results.map(({ spot_shock_pct }: any) => spot_shock_pct)).toEqual(
    scenarios.map(({ spot_shock_pct }) => spot_shock_pct),
  );
});

test('the stream of a symbol tells what its feed does, and nothing of uploads', async () => {
  await using api = await market();
  await api.feed('RUT');
  const { headers } = await api.key();
  const stream = openWebSocket(`${api.url}/ws/v1/stream/RUT`, headers);
  const [first] = await stream.next(1);
  expect([first?.type, first?.id?.split('.')[1]]).toEqual(['snapshot', '4']);
  expect(Compile(marketStreamDescription.snapshot ?? Type.Never()).Check(first?.data)).toBe(true);
  await api.call('POST', '/v1/snapshot', headers, { symbol: 'RUT', chain: csvOf('RUT', 9) });
  await api.feed('RUT', csvOf('RUT', 3));
  const all = await stream.next(5);
  expect(all.slice(1).map(({ type }) => type)).toEqual(['gex', 'levels', 'regime', 'signals']);
  expect(all.map(({ id }) => Number(id?.split('.')[1]))).toEqual([4, 5, 6, 7, 8]);
  stream.socket.close();
  const resumed = openWebSocket(`${api.url}/ws/v1/stream/RUT?last_event_id=${all[2]?.id}`, headers);
  expect((await resumed.next(2)).map(({ id }) => id)).toEqual([all[3]?.id, all[4]?.id]);
  resumed.socket.close();
  const nowhere = openWebSocket(`${api.url}/ws/v1/stream/DAX`, headers);
  expect(await nowhere.refused).toBe(404);
});

test('credentials: none is 401, one without the scope 403, reading needs only a valid key', async () => {
  await using api = await market();
  await api.feed('SPX');
  const reader = (await api.key({ scopes: ['studio.read'] })).headers;
  expect(await api.call('GET', '/v1/gex/SPX', {})).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(await api.call('GET', '/v1/gex/SPX', reader)).toMatchObject({ status: 200 });
  for (const path of ['/v1/portfolio/stress', '/v1/snapshot']) {
    expect(await api.call('POST', path, reader, { symbols: ['SPX'] })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  }
});

test.skipIf(!existsSync(realChain))(
  'a real chain of 2023 (needs ../shared/data) is analysed at its own timestamp',
  async () => {
    await using api = await market();
    const { headers } = await api.key();
    const csv = gunzipSync(readFileSync(realChain)).toString();
    const { status, body } = await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPX', chain: csv });
    expect(status).toBe(200);
    expect(body).toMatchObject({ as_of: '2023-09-14T20:31:00.000Z', synthetic: false, data: { spot: 4505.1001 } });
    expect(body.data.quality.contracts_used).toBeGreaterThan(19_000);
  },
);
