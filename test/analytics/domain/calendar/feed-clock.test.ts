import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSessionOpen } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { feedTime } from '#src/analytics/domain/calendar/feed-clock.ts';
import { byGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import figureTask from '#workers/analytics/figure-market.thread.ts';
import tickTask from '#workers/analytics/tick-market.thread.ts';

const at = (text: string) => Date.parse(text);

test('in real time the clock of the market is that of the wall while the exchange is open', () => {
  expect(feedTime(at('2026-11-20T15:00:00.123Z'))).toBe(at('2026-11-20T15:00:00.123Z'));
  // Friday's session, shown again from its close on
  expect(feedTime(at('2026-11-20T21:00:00Z'))).toBe(at('2026-11-20T14:30:00Z'));
  expect(feedTime(at('2026-11-20T22:30:00Z'))).toBe(at('2026-11-20T16:00:00Z'));
  expect(feedTime(at('2026-11-21T03:30:01Z'))).toBe(at('2026-11-20T14:30:01Z'));
});

test('accelerated, the last session that has ended passes that many times as fast, also while the exchange is open', () => {
  expect(feedTime(at('2026-11-20T21:00:10Z'), 60)).toBe(at('2026-11-20T14:40:00Z'));
  // 390 minutes in 6.5
  expect(feedTime(at('2026-11-20T21:06:30Z'), 60)).toBe(at('2026-11-20T14:30:00Z'));
  const [before, after] = [at('2026-11-23T15:00:00Z'), at('2026-11-23T15:00:10Z')].map((now) => feedTime(now, 60));
  expect(after! - before!).toBe(600_000);
  expect(new Date(before!).toISOString()).toMatch(/^2026-11-20T/);
  // a half day has half a session
  expect(feedTime(at('2026-11-27T18:03:30Z'), 60)).toBe(at('2026-11-27T14:30:00Z'));
});

const instants = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-12-31T00:00:00Z') });

test('the market is always within a session, never in the future', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 600 }), (now, speed) => {
      const market = feedTime(now, speed);
      expect(isSessionOpen(market)).toBe(true);
      expect(market).toBeLessThanOrEqual(now);
      expect(Number.isInteger(market)).toBe(true);
    }),
  );
});

test('a replay by seed and time is exact: every figure of a tick, whichever ticks came before it', {
  timeout: 60_000,
}, () => {
  const tickAt = (now: string, speed: number) => {
    const task = { symbol: 'SPY' as const, at: feedTime(at(now), speed), seed: 5, contracts: 200, advUsd: 1e9 };
    const ticked = tickTask(task);
    if ('failure' in ticked) throw new Error(ticked.failure.message);
    return figureTask({ ...task, chain: ticked.chain, past: { rawShares: byGeneration(() => [0.1]), moves: [] } });
  };
  const first = tickAt('2026-11-18T15:30:00Z', 1);
  expect(tickAt('2026-11-18T15:30:30Z', 1)).not.toEqual(first);
  // the same instant of the market a day later, at sixty times the pace: an hour into the session after one minute
  expect(tickAt('2026-11-18T21:01:00Z', 60)).toEqual(first);
});
