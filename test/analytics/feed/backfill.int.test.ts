import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { backfill } from '#queues/analytics.ts';
import { backfillInstant, endedSessions } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { byGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import { feedOwner } from '#src/analytics/feed/feed.ts';
import { startLiveFeed } from '#src/analytics/feed/live-feed.ts';
import { readHistory } from '#src/analytics/history/history-store.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { csvOf, market } from '#test/analytics/market.ts';
import backfillTask from '#workers/analytics/backfill-day.thread.ts';
import figureTask from '#workers/analytics/figure-market.thread.ts';
import tickTask from '#workers/analytics/tick-market.thread.ts';

const small = { FEED_CONTRACTS: '200', FEED_TICK_MS: '100', FEED_KEEP_MS: '86400000' };

const days = async ({ db }: Context) =>
  (await db.any(sql.unsafe`
    select payload->>'symbol' as symbol, payload->>'date' as date, state, priority from jobs
    where queue = 'analytics.backfill' order by id`)) as readonly {
    symbol: string;
    date: string;
    state: string;
    priority: number;
  }[];

async function until<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('the feed fills the newest days first, a few at a time and last of all; a symbol of a real market has none', async () => {
  await using api = await market({ ...small, FEED: 'synthetic' });
  await api.feed('SPX', csvOf('SPX').replace(/synthetic/gi, 'Index'));
  const [newest = '', second = ''] = endedSessions(Date.now(), 2);
  await using _ = startLiveFeed(api.context);
  const underWay: number[] = [];
  const asked = await until(
    async () => {
      const jobs = await days(api.context);
      underWay.push(jobs.filter(({ state }) => !isTerminal(state as never)).length);
      return jobs;
    },
    (jobs) => jobs.filter(({ date, state }) => date === second && state === 'succeeded').length >= 2,
  );
  expect(Math.max(...underWay)).toBeLessThanOrEqual(2);
  expect(asked.map(({ date }) => date)).toEqual(
    asked
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  );
  expect(new Set(asked.map(({ symbol, date }) => `${symbol} ${date}`)).size).toBe(asked.length);
  expect(asked.filter(({ date }) => date === newest).map(({ symbol }) => symbol)).not.toContain('SPX');
  expect(new Set(asked.map(({ priority }) => priority))).toEqual(new Set([1_000]));
  const at = new Date(backfillInstant(second));
  const { symbol = '' } = asked.find(({ date, state }) => date === second && state === 'succeeded') ?? {};
  const kept = await readHistory(api.context, { symbol, from: at, to: new Date(at.getTime() + 1), limit: 2 });
  expect(kept).toMatchObject([{ symbol, asOf: at, knowledgeTime: at, figures: { synthetic: true } }]);
});

test('a day that is filled again stays as it was; a day without trading is refused', async () => {
  await using api = await market({ ...small, FEED: 'none' });
  const run = async (date: string) => {
    const { job } = await submit(api.context, backfill, { principal: feedOwner, payload: { symbol: 'SPX', date } });
    return await until(
      async () => await readJob(api.context, job.id),
      (found) => found !== null && found !== undefined && isTerminal(found.state),
    );
  };
  const read = async () =>
    await readHistory(api.context, {
      symbol: 'SPX',
      from: new Date('2026-11-01'),
      to: new Date('2026-12-01'),
      limit: 10,
    });
  expect(await run('2026-11-18')).toMatchObject({ state: 'succeeded', result: { as_of: '2026-11-18T20:55:00.000Z' } });
  const first = await read();
  expect(first).toHaveLength(1);
  expect(await run('2026-11-18')).toMatchObject({ state: 'succeeded' });
  expect(await read()).toEqual(first);
  expect(await run('2026-11-22')).toMatchObject({ state: 'failed', error: { code: 'invalid_payload' } });
});

test('a day that is filled has the figures that a tick at its instant has', () => {
  const facts = { symbol: 'QQQ', at: backfillInstant('2026-11-18'), seed: 7, contracts: 300, advUsd: 1e9 } as const;
  const ticked = tickTask(facts);
  if ('failure' in ticked) throw new Error(ticked.failure.message);
  const figured = figureTask({
    ...facts,
    chain: ticked.chain,
    past: { rawShares: byGeneration(() => [0.1]), moves: [] },
  });
  if ('failure' in figured) throw new Error(figured.failure.message);
  expect(figured.analytics).toEqual(ticked.analytics);
  expect(backfillTask(facts)).toEqual({ analytics: ticked.analytics, remembered: figured.remembered });
  expect(new Set(Object.values(figured.remembered.rawShares)).size).toBe(4);
});

test('on a half day the history stands at 12:55; a session under way has not ended', () => {
  expect(new Date(backfillInstant('2026-11-27')).toISOString()).toBe('2026-11-27T17:55:00.000Z');
  expect(endedSessions(Date.parse('2026-11-30T15:00:00Z'), 2)).toEqual(['2026-11-27', '2026-11-25']);
  expect(endedSessions(Date.parse('2026-11-30T21:00:00Z'), 2)).toEqual(['2026-11-30', '2026-11-27']);
});
