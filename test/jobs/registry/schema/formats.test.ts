import { expect, test } from 'vitest';
import { foreignMisfit } from '#src/jobs/registry/schema/foreign-check.ts';

test.each([
  ['date', ['2024-02-29', '2000-02-29', '2026-12-31'], ['2026-02-30', '2026-02-29', '1900-02-29', '2026-04-31']],
  ['date', ['0001-01-01'], ['2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1', '2026-01-01T', '']],
  ['time', ['23:59:59Z', '00:00:00.25+01:30', '12:00:00z'], ['99:99', '24:00:00Z', '12:60:00Z', '12:00:00']],
  ['time', ['23:59:60Z', '00:59:60+01:00', '15:59:60-08:00'], ['12:00:60Z', '23:59:60+01:00', '23:59:61Z']],
  ['time', ['12:00:00+23:59'], ['12:00:00+24:00', '12:00:00+01:60', '12:00:00+0100']],
  [
    'date-time',
    ['2024-02-29T00:00:00Z', '2016-12-31T23:59:60Z', '2026-01-01t01:02:03.123456789z', '2026-01-01T01:02:03-08:00'],
    ['2026-02-30T00:00:00Z', '2026-02-28T25:00:00Z', '2026-02-28T00:00:00', '2026-02-28 00:00:00Z', '2026-02-28'],
  ],
])('%s is of the calendar and the clock of RFC 3339', (format, right, wrong) => {
  const fits = (text: string) => foreignMisfit({ format }, text) === null;
  expect(right.filter((text) => !fits(text))).toEqual([]);
  expect(wrong.filter(fits)).toEqual([]);
});

test('a format that is not checked takes any text, as an annotation does', () => {
  expect(foreignMisfit({ format: 'duration' }, 'soon')).toBeNull();
});
