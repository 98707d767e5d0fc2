import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueTimes } from '#src/jobs/schedules/due-times.ts';
import type { Schedule } from '#src/jobs/schedules/schedule-row.ts';
import { checkRule, timeAfter, timesAfter } from '#src/jobs/schedules/times.ts';

const from = new Date('2026-01-01T00:00:00Z');
const pattern = (cron: string, zone: string) => ({ cron, everyMs: null, zone, from });
const iso = (times: readonly Date[]) => times.map((at) => at.toISOString());

test.each([
  // forward: 2:30 is left out, and taken at the end of the gap
  ['30 2 * * *', 'America/New_York', '2026-03-07T12:00:00Z', ['2026-03-08T07:00:00.000Z', '2026-03-09T06:30:00.000Z']],
  ['30 1 * * *', 'Europe/London', '2026-03-28T12:00:00Z', ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']],
  [
    '15 2 * * *',
    'Australia/Lord_Howe',
    '2026-10-03T00:00:00Z',
    ['2026-10-03T15:30:00.000Z', '2026-10-04T15:15:00.000Z'],
  ],
  // back: 1:30 comes twice, and is taken once
  ['30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', ['2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z']],
  ['30 1 * * *', 'Europe/London', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']],
  [
    '45 1 * * *',
    'Australia/Lord_Howe',
    '2026-04-04T00:00:00Z',
    ['2026-04-04T14:45:00.000Z', '2026-04-05T15:15:00.000Z'],
  ],
  // the same where several hours or minutes are named
  [
    '45 1,2 * * *',
    'America/New_York',
    '2026-03-08T06:00:00Z',
    ['2026-03-08T06:45:00.000Z', '2026-03-08T07:00:00.000Z'],
  ],
  [
    '0,30 2 * * *',
    'America/New_York',
    '2026-03-08T06:00:00Z',
    ['2026-03-08T07:00:00.000Z', '2026-03-09T06:00:00.000Z'],
  ],
  [
    '45 1,2 * * *',
    'America/New_York',
    '2026-11-01T05:00:00Z',
    ['2026-11-01T05:45:00.000Z', '2026-11-01T07:45:00.000Z'],
  ],
  ['30 1-3 * * *', 'Europe/London', '2026-10-25T00:00:00Z', ['2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00.000Z']],
  // but not where any minute is
  ['*/30 1 * * *', 'Europe/London', '2026-10-25T00:15:00Z', ['2026-10-25T00:30:00.000Z', '2026-10-25T01:00:00.000Z']],
  [
    '*/20 2 * * *',
    'America/New_York',
    '2026-03-08T05:00:00Z',
    ['2026-03-09T06:00:00.000Z', '2026-03-09T06:20:00.000Z'],
  ],
  ['*/5 * * * *', 'America/New_York', '2026-11-01T05:55:00Z', ['2026-11-01T06:00:00.000Z', '2026-11-01T06:05:00.000Z']],
  ['30 0 2 * * *', 'Europe/London', '2026-03-28T12:00:00Z', ['2026-03-29T01:00:30.000Z', '2026-03-30T01:00:30.000Z']],
  ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', ['2028-02-29T00:00:00.000Z', '2032-02-29T00:00:00.000Z']],
  ['0 0 13 * 5', 'UTC', '2026-01-03T00:00:00Z', ['2026-01-09T00:00:00.000Z', '2026-01-13T00:00:00.000Z']],
  // each hour is an hour, also the one that comes twice
  ['15 * * * *', 'America/New_York', '2026-11-01T04:50:00Z', ['2026-11-01T05:15:00.000Z', '2026-11-01T06:15:00.000Z']],
  ['0 0 L * *', 'UTC', '2026-01-05T00:00:00Z', ['2026-01-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z']],
  ['*/20 * * * * *', 'UTC', '2026-01-05T00:00:01Z', ['2026-01-05T00:00:20.000Z', '2026-01-05T00:00:40.000Z']],
])('%s in %s after %s', (cron, zone, after, expected) => {
  expect(iso(timesAfter(pattern(cron, zone), new Date(after), 2))).toEqual(expected);
});

test.each([
  [{ cron: '0 0 31 2 *', zone: 'UTC' }, /none ever does/],
  [{ cron: '* * * *', zone: 'UTC' }, /five fields/],
  [{ cron: '0 0 1 1 * 2027 1', zone: 'UTC' }, /five fields/],
  [{ cron: '@daily', zone: 'UTC' }, /five fields/],
  [{ cron: '61 * * * *', zone: 'UTC' }, /five or six fields/],
  [{ cron: '0 0 * * *', zone: 'Mars/Base' }, /IANA/],
  [{ cron: null, zone: '' }, /IANA/],
])('error: %j gives no times', (rule, message) => {
  expect(() => checkRule(rule)).toThrow(message);
});

test('property: an interval has whole intervals from its beginning, each after the one before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 1e10 }), fc.integer({ min: -1e12, max: 1e12 }), (everyMs, offset) => {
      const rule = { cron: null, everyMs, zone: 'UTC', from };
      const after = new Date(from.getTime() + offset);
      const next = timeAfter(rule, after)!;
      expect((next.getTime() - from.getTime()) % everyMs).toBe(0);
      expect(next.getTime()).toBeGreaterThan(after.getTime());
      expect(next.getTime()).toBeGreaterThanOrEqual(from.getTime());
      if (offset >= 0) expect(next.getTime() - after.getTime()).toBeLessThanOrEqual(everyMs);
    }),
  );
});

test('property: between any two instants a pattern has the same times, however often one looks', () => {
  const rules = ['*/7 * * * *', '30 2 * * *', '0 9 * * 1-5', '59 23 L * *'];
  const zones = ['UTC', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe'];
  fc.assert(
    fc.property(
      fc.constantFrom(...rules),
      fc.constantFrom(...zones),
      fc.array(fc.integer({ min: 0, max: 10 * 86_400 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 365 }),
      (cron, zone, looks, day) => {
        const begin = from.getTime() + day * 86_400_000;
        const end = begin + 10 * 86_400_000;
        const rule = pattern(cron, zone);
        const until = (start: number, stop: number) => {
          const found: string[] = [];
          for (let at = timeAfter(rule, new Date(start)); at && at.getTime() <= stop; at = timeAfter(rule, at))
            found.push(at.toISOString());
          return found;
        };
        const cuts = [begin, ...looks.map((s) => begin + s * 1_000).toSorted((a, b) => a - b), end];
        const pieces = cuts.slice(1).flatMap((stop, index) => until(cuts[index]!, stop));
        expect(pieces).toEqual(until(begin, end));
      },
    ),
    { numRuns: 15 },
  );
});

const schedule = (more: Partial<Schedule>): Schedule => ({
  owner: 'a',
  name: 'b',
  queue: 'acme.c',
  version: null,
  payload: null,
  cron: '* * * * *',
  everyMs: null,
  zone: 'UTC',
  overlap: 'skip',
  missed: 'last',
  missedWithinS: 86_400,
  options: {},
  madeBy: 'a',
  keyId: null,
  receiver: null,
  paused: false,
  nextAt: new Date('2026-01-01T10:00:00Z'),
  lastAt: null,
  lastJob: null,
  madeAt: from,
  changedAt: from,
  ...more,
});

describe('times that are over', () => {
  const now = new Date('2026-01-01T10:05:30Z');
  const minutes = (times: readonly Date[]) => times.map((at) => at.toISOString().slice(11, 16));

  test('those of the last minute run; of earlier ones none, the last, or all', () => {
    const fate = (missed: Schedule['missed'], at = now) => {
      const { run, missed: passed, next, beyond } = dueTimes(schedule({ missed }), at);
      return [minutes(run), minutes(passed), next?.toISOString().slice(11, 16), beyond === null];
    };
    expect(fate('none')).toEqual([['10:05'], [], '10:06', false]);
    expect(fate('last')).toEqual([['10:05'], ['10:00', '10:01', '10:02', '10:03', '10:04'], '10:06', true]);
    expect(fate('all')).toEqual([['10:00', '10:01', '10:02', '10:03', '10:04', '10:05'], [], '10:06', true]);
  });

  test('where none is in time, the last of the missed runs', () => {
    const hourly = schedule({ cron: '0 * * * *', nextAt: new Date('2026-01-01T05:00:00Z') });
    expect(minutes(dueTimes(hourly, now).run)).toEqual(['10:00']);
    expect(minutes(dueTimes({ ...hourly, missed: 'none' }, now).run)).toEqual([]);
  });

  test('a month of seconds is passed over in one look, and said to be', () => {
    const { run, beyond, next } = dueTimes(
      schedule({ cron: '* * * * * *', missed: 'none', nextAt: new Date('2025-12-01T00:00:00Z') }),
      now,
    );
    expect([run.length, beyond?.toISOString()]).toEqual([61, '2025-12-01T00:00:00.000Z']);
    expect(next!.getTime()).toBeGreaterThan(now.getTime());
  });

  test('more than one look can take go on in the next, none lost and none twice', () => {
    let left = schedule({ cron: '* * * * * *', missed: 'all', nextAt: new Date('2026-01-01T09:00:00Z') });
    const run: string[] = [];
    for (let due = dueTimes(left, now); ; due = dueTimes(left, now)) {
      run.push(...iso(due.run));
      left = { ...left, nextAt: due.next };
      if (due.next === null || due.next > now) break;
    }
    expect(run).toHaveLength(65 * 60 + 31);
    expect(new Set(run).size).toBe(run.length);
  });
});
