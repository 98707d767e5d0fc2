import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { tick } from '#queues/analytics.ts';
import { feedTime } from '#src/analytics/domain/calendar/feed-clock.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { feedOwner } from '#src/analytics/feed/feed.ts';
import { startLiveFeed } from '#src/analytics/feed/live-feed.ts';
import { readRegimes } from '#src/analytics/live/market-state.ts';
import { publishLive, readAnswer } from '#src/analytics/live/publish-live.ts';
import { publishFigures, publishMarket } from '#src/analytics/live/publish-market.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { csvOf, market } from '#test/analytics/market.ts';
import { until } from '#test/helpers/processes.ts';
import { openSse, openWebSocket } from '#test/http/streams.ts';

/** Chains that take a tenth of the time: the tests are of when a market ticks. */
const small = { FEED: 'synthetic', FEED_TICK_MS: '100', FEED_KEEP_MS: '1000', FEED_CONTRACTS: '200' };

/** One tick of IWM with its tape, kept: a feed would tick all other symbols beside it, and be in the way of what is asked. */
async function tickOnce(context: Context): Promise<void> {
  const now = Date.now();
  // not now itself: on a holiday no market has a tape
  const payload = { symbol: 'IWM', at: feedTime(now, 1), order: now, full: true, keep: true };
  const { job } = await submit(context, tick, { principal: feedOwner, payload });
  await until(async () => (await readJob(context, job.id))?.state === 'succeeded');
}

test('the live feed ticks every symbol; a stream gets each tick once, in order, by SSE and by WebSocket', async () => {
  await using api = await market(small);
  await using _ = startLiveFeed(api.context);
  const { headers } = await api.key();
  const [socket, sse] = [
    openWebSocket(`${api.url}/ws/v1/stream/SPX`, headers),
    await openSse(`${api.url}/v1/stream/SPX?types=regime`, headers),
  ];
  // the state comes first, and again where nothing was published to the stream yet: it begins anew with its first tick
  const all = await socket.next(10);
  expect(all[0]?.type).toMatch(/^snapshot|reset$/);
  const events = all.filter(({ type }) => type !== 'reset' && type !== 'snapshot');
  const numbers = events.map(({ id }) => Number(id?.split('.')[1]));
  expect(numbers).toEqual(numbers.map((_n, index) => (numbers[0] ?? 0) + index));
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['gex', 'levels', 'regime', 'signals']));
  const seen: string[] = [];
  for await (const { event, data } of sse.events) {
    if (event !== 'regime') continue;
    seen.push((JSON.parse(data) as { data: { as_of: string } }).data.as_of);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(seen.toSorted());
  sse.close();
  socket.socket.close();
  // signals are published in one step with every answer of their tick
  const signals = openWebSocket(`${api.url}/ws/v1/stream/RUT?types=signals`, headers);
  for (let count = 1; (await signals.next(count)).at(-1)?.type !== 'signals'; ) count++;
  signals.socket.close();
  const other = await api.call('GET', '/v1/gex/RUT', headers);
  expect(other).toMatchObject({ status: 200, body: { symbol: 'RUT', synthetic: true } });
});

test('models of a caller’s own are computed with the tape of the market, where its figures are', async () => {
  await using api = await market(small);
  const { headers } = await api.key();
  await tickOnce(api.context);
  const asked = await api.call('GET', '/v1/flow-forecast/IWM?generation=3&spot_shock_pct=-2', headers);
  expect(asked).toMatchObject({
    status: 200,
    body: { generation: 3, status: 'ok', data: { scenarios: [{ spot_return_pct: -2 }] } },
  });
});

test('a snapshot of a chain that a tick has kept leaves what the tick computed with its tapes', async () => {
  await using api = await market({ FEED: 'none' });
  const { headers } = await api.key();
  await tickOnce(api.context);
  const regime = async () => await api.call('GET', '/v1/regime/IWM?generation=3', headers);
  const before = await regime();
  expect(before).toMatchObject({ status: 200, body: { generation: 3, data: { state: expect.any(String) } } });
  expect(await api.call('POST', '/v1/snapshot', headers, { symbol: 'IWM' })).toMatchObject({ status: 200 });
  expect(await regime()).toMatchObject({ status: 200, body: { data: before.body.data } });
  const kept = await api.context.db.oneFirst(
    sql.unsafe`select answers->>'regime:3' from chains where symbol = 'IWM' and owner is null`,
  );
  expect(kept).toContain('"state"');
});

test('a real chain in the feed ends the synthetic one of its symbol', async () => {
  await using api = await market(small);
  const real = csvOf('SPX').replace(/synthetic/gi, 'Index');
  await api.feed('SPX', real);
  await using _ = startLiveFeed(api.context);
  const { headers } = await api.key();
  const socket = openWebSocket(`${api.url}/ws/v1/stream/SPY`, headers);
  await socket.next(6);
  socket.socket.close();
  const ticked = await api.context.db.anyFirst(
    sql.unsafe`select distinct payload->>'symbol' from jobs where queue = 'analytics.tick'`,
  );
  expect(ticked).toContain('SPY');
  expect(ticked).not.toContain('SPX');
  expect(await api.call('GET', '/v1/gex/SPX', headers)).toMatchObject({ body: { synthetic: false } });
});

test('figures of a chain are published after it, and never once a newer one was published', async () => {
  await using api = await market({ FEED: 'none' });
  const analytics = analyzeChain(cleanChain(readChain(csvOf('SPX'), 'SPX')), { advUsd: 4e11 });
  const chain = async (order: number) => await publishMarket(api.context, { id: `tick-${order}`, order, analytics });
  const rest = async (order: number) =>
    await publishFigures(api.context, {
      id: `tick-${order}`,
      order,
      analytics,
      answers: new Map([['gex:1', `"${order}"`]]),
      signals: null,
    });
  // each also as a job that runs again after its worker was lost
  expect([await chain(1), await chain(1), await rest(1), await chain(1), await rest(1)]).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
  expect([await chain(3), await rest(2), await chain(2)]).toEqual([true, false, false]);
  expect(await readAnswer(api.context, 'market-SPX', 'gex:1')).toBe('"1"');
});

test('published events are not published again, nor older ones', async () => {
  await using api = await market({ FEED: 'none' });
  const tell = async (id: string, order: number) =>
    await publishLive(api.context, 'market-SPX', {
      id,
      order,
      events: [['gex', { id }]],
      answers: new Map([['x', `"${id}"`]]),
    });
  expect([await tell('a', 5), await tell('a', 5), await tell('b', 4), await tell('c', 6)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  const socket = openWebSocket(`${api.url}/ws/v1/stream/SPX`, (await api.key()).headers);
  const [first] = await socket.next(1);
  socket.socket.close();
  const [epoch, n] = first?.id?.split('.') ?? [];
  expect([first?.type, n]).toEqual(['snapshot', '2']);
  const again = openWebSocket(`${api.url}/ws/v1/stream/SPX?last_event_id=${epoch}.0`, (await api.key()).headers);
  expect((await again.next(2)).map(({ data }) => data)).toEqual([{ id: 'a' }, { id: 'c' }]);
  again.socket.close();
});

test('the regimes that a tick goes by are those that each generation published last', async () => {
  await using api = await market({ FEED: 'none' });
  expect(await readRegimes(api.context, 'SPX')).toEqual({});
  await api.feed('SPX');
  const known = await readRegimes(api.context, 'SPX');
  // generation 3 has no tape to go by
  expect(Object.keys(known)).toEqual(['1', '2', 'ensemble']);
  const { headers } = await api.key();
  for (const name of ['1', '2', 'ensemble'] as const) {
    const { body } = await api.call('GET', `/v1/regime/SPX?generation=${name}`, headers);
    expect(known[name]).toBe(body.data.state);
  }
  const doctored = new Map([['regime:2', JSON.stringify({ data: { state: 'transition' } })]]);
  await publishLive(api.context, 'market-SPX', {
    id: 'later',
    order: Date.now() + 60_000,
    events: [],
    answers: doctored,
  });
  expect(await readRegimes(api.context, 'SPX')).toEqual({ ...known, '2': 'transition' });
});

test('a symbol that no client reads ticks at its idle pace; a look brings it back', async () => {
  await using api = await market({ ...small, FEED_IDLE_MS: '3600000' });
  await using _ = startLiveFeed(api.context);
  const ticks = async (symbol: string) =>
    await api.context.db.oneFirst(
      sql.type(row(Type.Object({ count: Type.Integer() })))`
        select count(*) from jobs where queue = 'analytics.tick' and payload->>'symbol' = ${symbol} and state = 'succeeded'`,
    );
  const { headers } = await api.key();
  await until(async () => (await ticks('NDX')) === 1 && (await ticks('SPX')) === 1);
  await api.call('GET', '/v1/gex/SPX', headers);
  await until(async () => (await ticks('SPX')) >= 8);
  expect(await ticks('NDX')).toBe(1);
  // who follows alerts follows every symbol
  const alerts = openWebSocket(`${api.url}/ws/v1/alerts`, headers);
  await alerts.next(1);
  await until(async () => (await ticks('NDX')) >= 3);
  alerts.socket.close();
});
