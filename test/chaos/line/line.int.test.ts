import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '#test/chaos/random.ts';
import { until } from '#test/helpers/processes.ts';
import { steps } from './die-at.ts';
import { openLine } from './world.ts';

const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Share of all points that a run of the suite has; each run others. All of them with CHAOS_POINTS=all. */
const SHARE = 0.25;
const replay = `replay with CHAOS_SEED=${seed}`;

test('a feeder is killed at every point: no job is lost, doubled or stuck', { timeout: 280_000 }, async () => {
  await using line = await openLine(seed);
  await line.startWorker();
  await line.startWorker();
  const all = steps.flatMap((step) => [`before ${step}`, `after ${step}`]);
  const random = seeded(seed);
  const points = process.env['CHAOS_POINTS'] === 'all' ? all : all.filter(() => random.chance(SHARE));
  for (const point of points) {
    const leader = await line.lead(point);
    expect(await leader.exited, point).toEqual({ code: null, signal: 'SIGKILL' });
  }
  for (const point of ['before addStandardCarriers', 'after addStandardCarriers'])
    await (await line.submitAndDie(point)).exited;
  await line.lead();
  expect(await line.reckon(), replay).toEqual([]);
  expect(await line.ended()).toBeGreaterThan(300);
});

test('a leader sleeps past its leadership and goes on beside the next one; Redis is emptied, and comes back without its data', {
  timeout: 280_000,
}, async () => {
  await using line = await openLine(seed);
  await line.startWorker();
  await line.startWorker();
  const first = await line.lead();
  const runsOn = async (more: number) => {
    const from = await line.ended();
    await until(async () => (await line.ended()) >= from + more);
  };
  await runsOn(200);
  first.kill('SIGSTOP');
  await line.lead();
  await runsOn(600);
  first.kill('SIGCONT');
  await runsOn(200);
  for (let times = 0; times < 5; times++) {
    await line.flushRedis();
    await runsOn(150);
    await sleep(40 * times);
  }
  await line.loseRedis();
  await runsOn(300);
  expect(await line.reckon(), replay).toEqual([]);
});

test('clocks of feeders are an hour ahead and an hour behind: all that is delayed runs in its time', {
  timeout: 280_000,
}, async () => {
  await using line = await openLine(seed);
  await line.startWorker();
  for (const hours of [1, -1, 0]) {
    const leader = await line.lead('', hours);
    const from = await line.ended();
    await until(async () => (await line.ended()) >= from + 600);
    leader.kill('SIGKILL');
    await leader.exited;
  }
  await line.lead();
  expect(await line.reckon(), replay).toEqual([]);
});
