import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { take } from '#queues/analytics.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { feedOwner } from '#src/analytics/feed/feed.ts';
import { startLiveFeed } from '#src/analytics/feed/live-feed.ts';
import { keepPollState, readPollState } from '#src/analytics/feed/polled-feed.ts';
import { readHistory } from '#src/analytics/history/history-store.ts';
import { readSignals } from '#src/analytics/live/stored-signals.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { csvOf, market } from '#test/analytics/market.ts';
import { breaksOff, quotesServer, quotesText, sends, sendsDocument } from '#test/analytics/quotes-server.ts';
import { until } from '#test/helpers/processes.ts';

/** Takes a symbol's chain from the server as the leader would ask for it. */
async function poll(context: Context, symbol: MarketSymbol = 'SPX'): Promise<Job> {
  const { job } = await submit(context, take, { principal: feedOwner, payload: { symbol } });
  let found: Job | null | undefined;
  await until(async () => {
    found = await readJob(context, job.id);
    return found !== null && found !== undefined && isTerminal(found.state);
  });
  return found!;
}

/** Lets the next request be made at once. */
async function forgetWait(context: Context): Promise<void> {
  await keepPollState(context, 'SPX', { ...(await readPollState(context, 'SPX')), notBefore: 0 });
}

async function fits({ db }: Context): Promise<readonly { state: string }[]> {
  return (await db.any(sql.unsafe`select state from jobs where queue = 'analytics.fit' order by id`)) as never;
}

async function computed(context: Context, count: number): Promise<void> {
  await until(async () => {
    const jobs = await fits(context);
    return jobs.length === count && jobs.every(({ state }) => state === 'succeeded');
  });
}

const range = { symbol: 'SPX', from: new Date('2026-11-01'), to: new Date('2026-12-01'), limit: 10 };

test('a document is asked for politely, computed once, and becomes answers, signals and history of its time', async () => {
  await using server = await quotesServer(sendsDocument(quotesText('SPX', '2026-11-20 20:30')));
  await using api = await market({ FEED_CBOE_URL: server.url, FEED_STALE_MS: '60000' });
  const { context } = api;
  const { headers } = await api.key();
  expect(await poll(context)).toMatchObject({ state: 'succeeded', result: { symbol: 'SPX', outcome: 'taken' } });
  const [first] = server.requests;
  expect(first?.url).toBe('/options/_SPX.json');
  expect(first?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^proofline\/\d/),
    'accept-encoding': 'gzip',
    accept: 'application/json',
  });
  expect(first?.headers).not.toHaveProperty('if-none-match');
  await computed(context, 1);

  // before its time no request is sent
  expect(await poll(context)).toMatchObject({ result: { outcome: 'waiting' } });
  expect(server.requests).toHaveLength(1);

  await forgetWait(context);
  server.served.reply = sends(304, { etag: '"1"' });
  expect(await poll(context)).toMatchObject({ result: { outcome: 'unchanged' } });
  expect(server.requests[1]?.headers).toMatchObject({
    'if-none-match': '"1"',
    'if-modified-since': 'Fri, 20 Nov 2026 20:30:00 GMT',
  });
  // sent whole again by a server that knows no validators: still the same
  await forgetWait(context);
  server.served.reply = sends(200, {}, quotesText('SPX', '2026-11-20 20:30'));
  expect(await poll(context)).toMatchObject({ result: { outcome: 'unchanged' } });
  expect(await fits(context)).toHaveLength(1);

  await forgetWait(context);
  server.served.reply = sendsDocument(quotesText('SPX', '2026-11-20 20:31'), '"2"');
  expect(await poll(context)).toMatchObject({ result: { outcome: 'taken' } });
  await computed(context, 2);
  await forgetWait(context);
  server.served.reply = sendsDocument(quotesText('SPX', '2026-11-20 20:29'), '"3"');
  expect(await poll(context)).toMatchObject({ result: { outcome: 'older' } });
  expect(await fits(context)).toHaveLength(2);

  const gex = await api.call('GET', '/v1/gex/SPX', headers);
  expect(gex.body).toMatchObject({
    symbol: 'SPX',
    synthetic: false,
    as_of: '2026-11-20T20:31:00.000Z',
    feed_status: 'ok',
  });
  // half an hour before the close of that day
  expect(gex.body).toMatchObject({ status: 'stale', stale: true });
  expect(gex.body.age_seconds).toBeGreaterThanOrEqual(29 * 60);
  const own = await api.key({ owner: 'owner-2' });
  await api.call('POST', '/v1/snapshot', own.headers, { symbol: 'SPX', chain: csvOf('SPX') });
  const uploaded = await api.call('GET', '/v1/gex/SPX', own.headers);
  const unjudged = { stale: null, age_seconds: null, feed_status: null };
  expect(uploaded.body).toMatchObject({ status: 'ok', ...unjudged });
  // what is made from several answers, from a stored chain or from the past tells the age of its feed too
  const age = { stale: true, age_seconds: expect.any(Number), feed_status: 'ok' };
  const held = { symbols: ['SPX'] };
  const stress = { ...held, scenarios: [{ spot_shock_pct: -2 }] };
  for (const [path, body] of [
    ['analyze', held],
    ['optimize', held],
    ['stress', stress],
  ] as const) {
    const waiting = { prefer: 'wait=30' };
    const { body: ofFeed } = await api.call('POST', `/v1/portfolio/${path}`, { ...headers, ...waiting }, body);
    expect([path, ofFeed]).toMatchObject([path, { status: 'stale', ...age }]);
    const { body: ofOwn } = await api.call('POST', `/v1/portfolio/${path}`, { ...own.headers, ...waiting }, body);
    expect([path, ofOwn]).toMatchObject([path, unjudged]);
  }
  expect((await api.call('GET', '/v1/history/dsi?symbol=SPX&from=2026-11-01', headers)).body).toMatchObject(age);
  expect((await api.call('GET', '/v1/history/backtest?symbol=SPX', headers)).body).toMatchObject(age);
  expect((await api.call('GET', '/v1/signals/SPX', headers)).body).toMatchObject({ data: { status: 'ok' } });
  expect((await readSignals(context, 'SPX'))?.state.as_of).toBe(Date.parse('2026-11-20T20:31:00Z'));
  const kept = await readHistory(context, range);
  expect(kept.map(({ asOf }) => asOf.toISOString())).toEqual(['2026-11-20T20:30:00.000Z', '2026-11-20T20:31:00.000Z']);
  const given = await context.db.anyFirst(sql.unsafe`select given_at from chains where owner is null order by as_of`);
  // known when the chain came, not at the instant it stands for
  expect(kept.map(({ knowledgeTime }) => knowledgeTime)).toEqual(given);
  expect(kept.every(({ figures }) => !figures.synthetic)).toBe(true);
});

test('whatever goes wrong, the last good figures stay, every answer says how the feed did, and the next request comes later', async () => {
  const good = quotesText('SPX', '2026-11-20 20:30');
  const next = quotesText('SPX', '2026-11-20 20:40');
  await using server = await quotesServer(sendsDocument(good));
  await using other = await quotesServer(sendsDocument(next));
  const limit = 2 * good.length;
  await using api = await market({ FEED_CBOE_URL: server.url, CHAIN_BODY_LIMIT_BYTES: String(limit) });
  const { context } = api;
  const { headers } = await api.key();
  await poll(context);
  await computed(context, 1);
  const wrongs = [
    ['429', sends(429, { 'retry-after': '7200' }), 'unavailable', 'unavailable'],
    ['500', sends(500), 'unavailable', 'unavailable'],
    ['403', sends(403), 'invalid_payload', 'refused'],
    ['a body that ends before its length', breaksOff(next), 'unavailable', 'unavailable'],
    ['a document that ends in the middle', sendsDocument(next.slice(0, next.length / 2)), 'invalid_chain', 'invalid'],
    ['a giant that is small while compressed', sendsDocument(' '.repeat(limit + 1)), 'payload_too_large', 'refused'],
    ['a redirect', sends(302, { location: `${other.url}_SPX.json` }), 'invalid_payload', 'refused'],
    ['half a chain', sendsDocument(quotesText('SPX', '2026-11-20 20:40', 0.5), '"9"'), 'invalid_chain', 'half_chain'],
  ] as const;
  for (const [index, [name, reply, code, status]] of wrongs.entries()) {
    await forgetWait(context);
    server.served.reply = reply;
    const before = Date.now();
    expect(await poll(context), name).toMatchObject({ state: 'failed', error: { code } });
    const state = await readPollState(context, 'SPX');
    expect(state.failures, name).toBe(index + 1);
    // the interval, doubled; or what the server asked for
    expect(state.notBefore - before, name).toBeGreaterThanOrEqual(index === 0 ? 7_200_000 : 120_000);
    // the good document's: the broken one is not taken for known
    expect(state.etag, name).toBe('"1"');
    const { body } = await api.call('GET', '/v1/gex/SPX', headers);
    expect(body, name).toMatchObject({ as_of: '2026-11-20T20:30:00.000Z', feed_status: status });
  }
  expect(other.requests).toHaveLength(0);
  await forgetWait(context);
  server.served.reply = sendsDocument(next, '"2"');
  expect(await poll(context)).toMatchObject({ result: { outcome: 'taken' } });
  await computed(context, 2);
  expect((await api.call('GET', '/v1/gex/SPX', headers)).body).toMatchObject({
    as_of: '2026-11-20T20:40:00.000Z',
    feed_status: 'ok',
  });
  expect((await readPollState(context, 'SPX')).failures).toBe(0);
});

test('a chain from which nothing can be computed leaves the one before the newest, and answers say so until a good one comes', async () => {
  const good = quotesText('SPX', '2026-11-20 20:30');
  await using server = await quotesServer(sendsDocument(good));
  await using api = await market({ FEED_CBOE_URL: server.url });
  const { context } = api;
  const { headers } = await api.key();
  await poll(context);
  await computed(context, 1);
  const broken = JSON.parse(quotesText('SPX', '2026-11-20 20:40'));
  // a call at a cent, far below what it is worth if exercised, and no other quote
  for (const [i, option] of broken.data.options.entries())
    Object.assign(option, { iv: 0, bid: i === 0 ? 0.01 : 0, ask: i === 0 ? 0.01 : 0 });
  await forgetWait(context);
  server.served.reply = sendsDocument(JSON.stringify(broken), '"2"');
  expect(await poll(context)).toMatchObject({ result: { outcome: 'taken' } });
  await until(async () => (await fits(context))[1]?.state === 'failed');
  const old = { as_of: '2026-11-20T20:30:00.000Z', feed_status: 'invalid' };
  expect((await api.call('GET', '/v1/gex/SPX', headers)).body).toMatchObject(old);
  // an answer that says nothing new takes nothing back
  await forgetWait(context);
  server.served.reply = sends(304);
  expect(await poll(context)).toMatchObject({ result: { outcome: 'unchanged' } });
  expect((await api.call('GET', '/v1/gex/SPX', headers)).body).toMatchObject(old);
  const stored = await context.db.anyFirst(sql.unsafe`select as_of from chains where symbol = 'SPX'`);
  expect(stored).toEqual([new Date('2026-11-20T20:30:00Z')]);
  await forgetWait(context);
  server.served.reply = sendsDocument(quotesText('SPX', '2026-11-20 20:41'), '"3"');
  await poll(context);
  await until(async () => (await fits(context))[2]?.state === 'succeeded');
  expect((await api.call('GET', '/v1/gex/SPX', headers)).body).toMatchObject({ feed_status: 'ok' });
});

test('with FEED=cboe every symbol is asked for under its own name, and no market is made up', async () => {
  await using server = await quotesServer(sends(503));
  await using api = await market({ FEED: 'cboe', FEED_CBOE_URL: server.url });
  await using _ = startLiveFeed(api.context);
  await until(() => server.requests.length >= 6);
  expect(new Set(server.requests.slice(0, 6).map(({ url }) => url))).toEqual(
    new Set(['IWM', 'QQQ', 'SPY', '_NDX', '_RUT', '_SPX'].map((name) => `/options/${name}.json`)),
  );
  const queues = await api.context.db.anyFirst(sql.unsafe`select distinct queue from jobs`);
  expect(queues).toEqual(['analytics.take']);
});
