import { expect, test } from 'vitest';
import { suggestSchedule } from '#src/studio/domain/suggest-schedule.ts';
import { channels } from '#src/studio/domain/words.ts';

// a Sunday
test.each([
  ['tiktok', '2026-11-22T15:59:59.000Z', '2026-11-22T18:00:00.000Z'],
  ['tiktok', '2026-11-22T16:00:00.000Z', '2026-11-22T18:00:00.000Z'],
  ['tiktok', '2026-11-22T16:00:00.001Z', '2026-11-23T18:00:00.000Z'],
  ['linkedin', '2026-11-22T10:00:00.000Z', '2026-11-24T14:00:00.000Z'],
  ['linkedin', '2026-11-26T13:00:00.000Z', '2026-12-01T14:00:00.000Z'],
  ['x_twitter', '2026-11-20T14:00:00.000Z', '2026-11-23T15:00:00.000Z'],
  ['pinterest', '2026-12-31T23:00:00.000Z', '2027-01-02T19:00:00.000Z'],
  ['shopify', '2026-11-22T10:00:00.000Z', null],
] as const)('%s, approved %s, could go out at %s', (channel, from, at) => {
  expect(suggestSchedule(channel, new Date(from)).at).toBe(at);
});

test.each(channels)('%s: the rule says that it is a suggestion', (channel) => {
  expect(suggestSchedule(channel, new Date()).rule).toMatch(/^A suggestion: /);
});
