import { expect, test } from 'vitest';
import { pollDelay } from '#src/analytics/feed/polled-feed.ts';
import { retryAfterMs } from '#src/lib/retry-after.ts';

const hour = 3_600_000;

test.each([
  ['nothing failed', { everyMs: 60_000, failures: 0, requestedMs: 0 }, 60_000, 66_000],
  ['three failures', { everyMs: 60_000, failures: 3, requestedMs: 0 }, 480_000, 528_000],
  ['many failures', { everyMs: 60_000, failures: 1_000, requestedMs: 0 }, hour, 1.1 * hour],
  ['an interval of an hour', { everyMs: hour, failures: 4, requestedMs: 0 }, hour, 1.1 * hour],
  ['the server asks for more', { everyMs: 60_000, failures: 1, requestedMs: 7 * hour }, 7 * hour, 7 * hour],
  ['the server asks for less', { everyMs: 60_000, failures: 1, requestedMs: 1_000 }, 120_000, 132_000],
  ['the server asks for a year', { everyMs: 60_000, failures: 1, requestedMs: 9_000 * hour }, 24 * hour, 24 * hour],
])('wait until the next request: %s', (_name, outcome, least, most) => {
  expect(pollDelay(outcome, () => 0)).toBe(least);
  expect(pollDelay(outcome, () => 1)).toBeCloseTo(most, -1);
});

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Fri, 20 Nov 2026 15:01:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 14:00:00 GMT', 0],
  ['soon', 0],
  ['-3', 0],
  [null, 0],
])('Retry-After %j', (header, expected) => {
  expect(retryAfterMs(header, Date.parse('2026-11-20T15:00:00Z'))).toBe(expected);
});
