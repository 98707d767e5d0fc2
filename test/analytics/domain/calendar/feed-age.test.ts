import { expect, test } from 'vitest';
import { envelope, type Status } from '#src/analytics/answers/envelope.ts';
import { freshness, withFreshness } from '#src/analytics/answers/freshness.ts';
import { feedAge, openTime } from '#src/analytics/domain/calendar/feed-clock.ts';
import { loadConfig } from '#src/system/config/config.ts';

const at = (text: string) => Date.parse(text);
const minutes = 60_000;
const chain = { asOf: at('2026-11-20T20:45:00Z'), takenAt: at('2026-11-20T21:00:00Z'), synthetic: false };

test.each([
  ['within a session', '2026-11-20T20:45:00Z', '2026-11-20T20:55:00Z', 10],
  ['after the close', '2026-11-20T20:45:00Z', '2026-11-20T23:00:00Z', 15],
  ['over a weekend', '2026-11-20T20:45:00Z', '2026-11-22T18:00:00Z', 15],
  ['on Monday, ten minutes after the open', '2026-11-20T20:45:00Z', '2026-11-23T14:40:00Z', 25],
  ['over Thanksgiving and a half day', '2026-11-25T20:30:00Z', '2026-11-30T14:30:00Z', 30 + 210],
  ['from a Sunday', '2026-11-22T12:00:00Z', '2026-11-23T15:00:00Z', 30],
  ['the other way round', '2026-11-20T20:55:00Z', '2026-11-20T20:45:00Z', 0],
])('data age by time in which the exchange is open: %s', (_name, from, to, expected) => {
  expect(openTime(at(from), at(to)) / minutes).toBe(expected);
});

test('a generated market is as old as its last tick, whatever instant it shows', () => {
  const stamp = { asOf: at('2026-11-20T15:00:00Z'), takenAt: at('2026-11-22T12:00:00Z'), synthetic: true };
  expect(feedAge(stamp, at('2026-11-22T12:00:07Z'))).toBe(7_000);
  expect(feedAge(stamp, at('2026-11-22T11:59:00Z'))).toBe(0);
});

test('data are stale beyond the bound: while the exchange is closed as they were at its close', () => {
  const config = loadConfig({ FEED: 'none', FEED_STALE_MS: String(20 * minutes) });
  const stale = (now: string) => freshness(config, chain, 'ok', at(now));
  expect(stale('2026-11-22T18:00:00Z')).toEqual({ stale: false, age_seconds: 900, feed_status: 'ok' });
  expect(stale('2026-11-23T14:36:00Z')).toEqual({ stale: true, age_seconds: 1_260, feed_status: 'ok' });
});

test('a live synthetic market is held to its own round, an ingested one to the setting', () => {
  const stamp = { ...chain, synthetic: true };
  const now = stamp.takenAt + 2 * minutes;
  expect(freshness(loadConfig({ FEED: 'synthetic' }), stamp, 'ok', now).stale).toBe(true);
  expect(freshness(loadConfig({ FEED: 'synthetic', FEED_FIGURES_MS: '15000' }), stamp, 'ok', now).stale).toBe(false);
  expect(freshness(loadConfig({ FEED: 'none' }), stamp, 'ok', now).stale).toBe(false);
});

test('an answer tells its age without its data being read; only ok gives way to stale', () => {
  const used = [{ symbol: 'SPX', asOf: '2026-11-20T20:45:00Z', synthetic: false }];
  const text = (status: Status) => JSON.stringify(envelope(used, { spot: 'points' }, status, { n: 1 }));
  const fresh = { stale: false, age_seconds: 3, feed_status: 'ok' } as const;
  const old = { stale: true, age_seconds: 4_000, feed_status: 'unavailable' } as const;
  for (const [status, told, expected] of [
    ['ok', fresh, 'ok'],
    ['ok', old, 'stale'],
    ['degraded_chain', old, 'degraded_chain'],
  ] as const) {
    expect(JSON.parse(withFreshness(text(status), told))).toEqual({
      ...JSON.parse(text(status)),
      ...told,
      status: expected,
    });
  }
  expect(() => withFreshness('{"symbol":"SPX"}', fresh)).toThrow(/begins as an envelope/);
});
