import { expect, test } from 'vitest';
import { describeRun } from './report.ts';
import { runChaos } from './run.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);

test('while processes and servers are killed and stopped, every accepted job ends once, and its events and effects are whole', {
  timeout: 480_000,
}, async () => {
  const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const run = await runChaos({ seed, jobs: 2_400, lengthMs: 36_000, faultEveryMs: 2_200, patienceMs: 90_000, say });
  for (const line of describeRun(run)) say(line);
  expect(run.wrong, `replay with CHAOS_SEED=${seed}`).toEqual([]);
  expect([...run.stored.values()].length).toBeGreaterThanOrEqual(2_000);
  expect(run.effects.made).toBeGreaterThan(500);
  for (const transport of ['sse', 'websocket'])
    expect(run.followed.filter((one) => one.transport === transport).length).toBeGreaterThan(75);
});
