import { expect, test } from 'vitest';
import { missedPolicies, overlaps } from '#src/jobs/schedules/policies.ts';
import { timesAfter } from '#src/jobs/schedules/times.ts';
import { type ScheduleWorld, scheduleWorld } from './schedule-world.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const plus = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** Looks a second after each of some times. */
const lookAfter = async (world: ScheduleWorld, times: readonly Date[]) => {
  for (const at of times) await world.look(plus(at, 1_000));
};

// instants of the changes, forward and back
test.each([
  ['America/New_York', '2027-03-14T07:00:00Z'],
  ['America/New_York', '2027-11-07T06:00:00Z'],
  ['Europe/London', '2027-03-28T01:00:00Z'],
  ['Europe/London', '2027-10-31T01:00:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
  ['Australia/Lord_Howe', '2027-10-02T15:30:00Z'],
])('when clocks change in %s at %s each time runs once, by every policy', async (zone, change) => {
  await using world = await scheduleWorld();
  const begin = plus(new Date(change), -4 * HOUR_MS);
  const cron = '*/30 * * * *';
  // nothing looks from an hour and a half before the change to as long after it
  const times = timesAfter({ cron, everyMs: null, zone, from: begin }, begin, 16);
  const isMissed = (at: Date) => Math.abs(at.getTime() - Date.parse(change)) < 1.5 * HOUR_MS;
  const [early, away, late] = [
    times.filter((at) => !isMissed(at) && at < new Date(change)),
    times.filter(isMissed),
    times.filter((at) => !isMissed(at) && at > new Date(change)),
  ];
  // an hour has two of them, whatever the clocks on walls show, also where they change by half of one
  expect([early.length, away.length, times.at(-1)]).toEqual([5, 5, plus(begin, 8 * HOUR_MS)]);
  const policies = overlaps.flatMap((overlap) => missedPolicies.map((missed) => ({ overlap, missed })));
  for (const { overlap, missed } of policies)
    await world.schedule(`${overlap}-${missed}`, { cron, zone, overlap, missed }, begin, times[0]!);
  await lookAfter(world, [...early, ...late]);

  for (const { overlap, missed } of policies) {
    const runs = await world.runs(`${overlap}-${missed}`);
    // what is older than a look can list under the policy `none` is told of by its first time
    const seen = missed === 'none' ? [...early, away[0]!, ...late] : times;
    expect(runs.map(([at]) => at)).toEqual(seen.map((at) => at.toISOString()));
    const back = late[0]!.toISOString();
    const outcomesOf = (wanted: readonly Date[]) =>
      wanted.map((one) => runs.find(([at]) => at === one.toISOString())?.[1]).filter((one) => one !== undefined);
    // none of its jobs ends, so that `skip` submits the first alone
    const again = overlap === 'skip' ? 'skipped' : 'submitted';
    expect(outcomesOf(early)).toEqual(['submitted', ...early.slice(1).map(() => again)]);
    expect(outcomesOf(late)).toEqual(late.map(() => again));
    expect(runs.find(([at]) => at === back)?.[1]).toBe(again);
    // those of one look replace each other before they are submitted
    const together = overlap === 'replace' ? 'skipped' : again;
    expect(new Set(outcomesOf(away))).toEqual(new Set([missed === 'all' ? together : 'missed']));
  }
});

test.each(['America/New_York', 'Europe/London', 'Australia/Lord_Howe'])(
  'a daily time in the gap or in the fold of %s runs once a day',
  async (zone) => {
    await using world = await scheduleWorld();
    const begin = new Date('2027-01-01T00:00:00Z');
    const rules = ['45 1 * * *', '15 2 * * *'].map((cron) => ({ cron, zone, everyMs: null, from: begin }));
    for (const [index, rule] of rules.entries()) {
      const body = { cron: rule.cron, zone, overlap: 'queue', missed: 'all', missed_within_s: 2_592_000 };
      await world.schedule(`daily-${index}`, body, begin, timesAfter(rule, begin, 1)[0]!);
    }
    // a look a day, through both changes of a year
    for (let day = 1; day <= 365; day += 25) await world.look(plus(begin, day * 24 * HOUR_MS));
    for (const index of rules.keys()) {
      const days = (await world.runs(`daily-${index}`)).map(([at]) =>
        new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date(at)),
      );
      expect(new Set(days).size).toBe(days.length);
      expect(days.length).toBe(351);
    }
  },
);

test('a clock that jumps an hour forward makes up as the policies say, and one that jumps back doubles nothing', async () => {
  await using world = await scheduleWorld();
  const begin = new Date('2027-05-01T00:00:00Z');
  const at = (minutes: number) => plus(begin, minutes * MINUTE_MS);
  for (const missed of missedPolicies)
    await world.schedule(missed, { every_ms: 10 * MINUTE_MS, overlap: 'queue', missed }, begin, at(10));
  await world.look(at(10));
  await world.look(at(75)); // forward
  const forward: Record<string, string[]> = {
    none: ['submitted', 'missed'],
    last: ['submitted', 'missed', 'missed', 'missed', 'missed', 'missed', 'submitted'],
    all: Array(7).fill('submitted'),
  };
  for (const missed of missedPolicies)
    expect((await world.runs(missed)).map(([, outcome]) => outcome)).toEqual(forward[missed]);
  await world.look(at(15)); // back
  await world.look(at(60));
  for (const missed of missedPolicies) expect((await world.runs(missed)).length).toBe(forward[missed]!.length);
  await world.look(at(80)); // where it was
  for (const missed of missedPolicies)
    expect((await world.runs(missed)).at(-1)).toEqual([at(80).toISOString(), 'submitted']);
});
