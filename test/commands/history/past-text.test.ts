import { expect, test } from 'vitest';
import { lastHourLine, type Past, type PastFigures, pastTable, sparkline } from '#src/commands/history/past-text.ts';
import { beginOf } from '#src/commands/history/queue-history.ts';

const figures = (succeeded: number): PastFigures => ({
  submitted: succeeded,
  succeeded,
  failed: 0,
  cancelled: 0,
  expired: 0,
  retried: 0,
  wait: succeeded > 0 ? { count: succeeded, p50: 0.012, p95: 1.44, p99: 1_500 } : null,
  run: null,
});
const past = (counts: readonly (number | null)[]): Past => ({
  from: '2026-11-27T10:00:00.000Z',
  to: new Date(Date.UTC(2026, 10, 27, 10, counts.length)).toISOString(),
  step_seconds: 60,
  points: counts.flatMap((count, minute) =>
    count === null
      ? []
      : [{ at: new Date(Date.UTC(2026, 10, 27, 10, minute)).toISOString(), complete: true, ...figures(count) }],
  ),
  total: figures(counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)),
});

test('a line of bars has a blank where nothing is known, and the lowest bar where nothing happened', () => {
  expect(sparkline(past([null, null, 0, 1, 4, 8]), 60)).toBe('  ▁▂▅█');
  expect(sparkline(past([1, 1, 0, 0, 4, 4]), 3)).toBe('▃▁█');
});

test('the last hour is one line', () => {
  expect(lastHourLine(past([2, 0]))).toBe('last hour ▕█▁▏ 2 ended, 0 failed, wait p95 1.4 s');
});

test('a name that steers the terminal is made plain', () => {
  expect(pastTable('group', [['a\u001b[2J', figures(1)]])).toMatch(/^a\u{FFFD}\[2J +1 +1 .*12 ms +1\.4 s +25 min/mu);
});

test('a time begins so long ago, or at an instant', () => {
  const now = Date.parse('2026-11-27T10:00:00Z');
  expect(beginOf('90m', now).toISOString()).toBe('2026-11-27T08:30:00.000Z');
  expect(beginOf('30d', now).toISOString()).toBe('2026-10-28T10:00:00.000Z');
  expect(beginOf('2026-11-01T00:00:00Z', now).toISOString()).toBe('2026-11-01T00:00:00.000Z');
  expect(() => beginOf('a while', now)).toThrow('--since: expected a time such as 90m, 24h or 30d');
});
