import { expect, test } from 'vitest';
import { isRecentNext } from '#src/analytics/feed/backfill-feed.ts';

const now = Date.parse('2026-11-26T12:00:00Z');

test('past days that figures of the present look back on do not wait for a reader', () => {
  const next = (date: string) => isRecentNext([{ symbol: 'SPX', date }], now);
  expect(next('2026-11-25')).toBe(true);
  expect(next('2026-10-22')).toBe(true);
  expect(next('2026-10-20')).toBe(false);
  expect(isRecentNext([], now)).toBe(false);
});
