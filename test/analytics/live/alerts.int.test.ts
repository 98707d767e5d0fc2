import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { SIGNALS, type Signal } from '#src/analytics/domain/signals/signals-schema.ts';
import { takeObservation } from '#src/analytics/domain/signals/track-signals.ts';
import { startLiveFeed } from '#src/analytics/feed/live-feed.ts';
import { publishFigures } from '#src/analytics/live/publish-market.ts';
import { readSignals } from '#src/analytics/live/stored-signals.ts';
import { leaveAlerts, makeAlerts, signal } from '#test/analytics/alert-fixture.ts';
import { csv } from '#test/analytics/chain-text.ts';
import { csvOf, market } from '#test/analytics/market.ts';
import { quiet, START } from '#test/analytics/quiet-market.ts';
import { testApi } from '#test/http/api.ts';
import { openSse, openWebSocket } from '#test/http/streams.ts';

const fast = { FEED: 'synthetic', FEED_TICK_MS: '100', FEED_FIGURES_MS: '100' };

const ids = (events: readonly { readonly data: unknown }[]) => events.map(({ data }) => (data as Signal).id);

test('each signal is published once to every stream of alerts it belongs to, ticks of other symbols in between', async () => {
  await using api = await market({ FEED: 'none' });
  const { headers } = await api.key();
  const [pin, flip, other] = [signal('SPX', 'pin', 1), signal('SPX', 'flip_breach', 1), signal('SPY', 'pin', 2)];
  const late = signal('SPX', 'pin', 3);
  const spx = { id: 'tick-5', order: 5, signals: [pin, flip] };
  await makeAlerts(api.context, 'SPX', spx);
  // of a tick that began later, and whose symbol has nothing to do with the others
  await makeAlerts(api.context, 'SPY', { id: 'tick-9', order: 9, signals: [other] });
  // the first again, as its job does when it is run again
  await makeAlerts(api.context, 'SPX', spx);
  await makeAlerts(api.context, 'SPX', { id: 'tick-6', order: 6, signals: [late] });
  const state = openWebSocket(`${api.url}/ws/v1/alerts?kinds=pin`, headers);
  const [snapshot] = await state.next(1);
  state.socket.close();
  expect(snapshot).toMatchObject({ type: 'snapshot', data: { recent: [late, other, pin] } });
  const begin = snapshot?.id?.replace(/\d+$/, '0');
  const told = async (query: string, count: number, from = begin) => {
    const stream = openWebSocket(`${api.url}/ws/v1/alerts?last_event_id=${from}${query}`, headers);
    const events = await stream.next(count);
    stream.socket.close();
    return events;
  };
  const all = await told('', 4);
  expect(ids(all)).toEqual([pin.id, flip.id, other.id, late.id]);
  expect(all.map(({ id }) => Number(id?.split('.')[1]))).toEqual([1, 2, 3, 4]);
  expect(all.map(({ type }) => type)).toEqual(['pin', 'flip_breach', 'pin', 'pin']);
  expect(ids(await told('&symbols=SPX', 3))).toEqual([pin.id, flip.id, late.id]);
  expect(ids(await told('&kinds=pin', 3))).toEqual([pin.id, other.id, late.id]);
  expect(ids(await told('&symbols=spx&kinds=pin', 2))).toEqual([pin.id, late.id]);
  expect(ids(await told('&symbols=SPX,SPY&kinds=pin&kinds=flip_breach', 4))).toEqual(ids(all));
  expect(ids(await told('', 2, all[1]?.id))).toEqual([other.id, late.id]);
  const sse = await openSse(`${api.url}/v1/alerts?last_event_id=${begin}&kinds=flip_breach,gtbr_breach`, headers);
  const first = await sse.events.next();
  expect([first.value?.event, ids([JSON.parse(first.value?.data ?? '')])]).toEqual(['flip_breach', [flip.id]]);
  sse.close();
  const refused = [
    openWebSocket(`${api.url}/ws/v1/alerts?symbols=SPX,DAX`, headers),
    openWebSocket(`${api.url}/ws/v1/alerts?kinds=pin,x`, headers),
  ];
  expect(await Promise.all(refused.map(async (one) => await one.refused))).toEqual([404, 400]);
});

test('a process that ends anywhere between a tick’s state and its alerts neither loses nor doubles one', async () => {
  await using api = await testApi({ FEED: 'none' });
  const { context } = api;
  const analytics = analyzeChain(cleanChain(readChain(csv, 'SPX')), { advUsd: 400e9 });
  const spots = [6010, 5990, 5989, 5988];
  const tick = async (n: number) => {
    const seen = { ...quiet, flip: 6000, as_of: START + n * 60_000, spot: spots[n] ?? 0 };
    const signals = takeObservation(await readSignals(context, 'SPX'), seen, n);
    return { news: { id: `tick-${n}`, order: n, analytics, answers: new Map(), signals }, made: signals?.made ?? [] };
  };
  const first = await tick(0);
  await publishFigures(context, first.news);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { headers } = await api.key();
  const stream = openWebSocket(`${url}/ws/v1/alerts?kinds=flip_breach,pin`, headers);
  await stream.next(1);
  // ended before its state was written: made, and published nowhere
  const lost = await tick(1);
  expect(lost.made.map(({ kind }) => kind)).toContain('flip_breach');
  // the next tick makes it again; its process ends when the state is written
  const again = await tick(2);
  const breach = again.made.find(({ kind }) => kind === 'flip_breach');
  if (!breach) throw new Error('expected the breach to be made again');
  await leaveAlerts(context, 'SPX', { id: 'tick-2', order: 2, signals: [breach] });
  // the one after it tells what was left, and its own; and is run twice
  const last = {
    ...(await tick(3)).news,
    signals: { made: [signal('SPX', 'pin', 3)], stored: (await tick(3)).news.signals!.stored },
  };
  await publishFigures(context, last);
  await publishFigures(context, last);
  await publishFigures(context, {
    ...last,
    id: 'tick-4',
    order: 4,
    signals: { ...last.signals, made: [signal('SPX', 'pin', 4)] },
  });
  expect(ids((await stream.next(4)).slice(1))).toEqual([
    breach.id,
    signal('SPX', 'pin', 3).id,
    signal('SPX', 'pin', 4).id,
  ]);
  stream.socket.close();
});

test('the live feed publishes the signals of its figures, answers them and remembers them from tick to tick', async () => {
  await using api = await market(fast);
  await using _ = startLiveFeed(api.context);
  const { headers } = await api.key();
  const stream = openWebSocket(`${api.url}/ws/v1/stream/SPX?types=signals`, headers);
  // the state of the symbol first; twice where nothing was published to its stream yet
  const events = (await stream.next(5)).filter(({ type }) => type === 'signals');
  stream.socket.close();
  const made = events.map(({ data }) => data as { as_of: string; signals: Signal[]; current: Signal[] });
  expect(made.map(({ as_of }) => as_of)).toEqual(made.map(({ as_of }) => as_of).toSorted());
  for (const { signals, current } of made) expect(current).toEqual(expect.arrayContaining(signals));
  const answer = await api.call('GET', '/v1/signals/SPX', headers);
  expect(answer).toMatchObject({ status: 200, body: { symbol: 'SPX', generation: 1, status: 'ok' } });
  expect(Compile(SIGNALS).Check(answer.body.data)).toBe(true);
  const all = made.flatMap(({ signals }) => signals);
  expect(ids(answer.body.data.recent.map((data: Signal) => ({ data })))).toEqual(
    expect.arrayContaining(all.map(({ id }) => id)),
  );
  await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPX', chain: csvOf('SPX', 9) });
  expect(await api.call('GET', '/v1/signals/SPX', headers)).toMatchObject({
    status: 200,
    body: { status: 'no_history', data: null },
  });
});
