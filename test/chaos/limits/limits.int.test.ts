import { expect, test } from 'vitest';
import { runLimits } from './run.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);

test('while workers and feeders are killed and limits change, no more jobs run or begin than a limit allows, by the count of an observer', {
  timeout: 240_000,
}, async () => {
  const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const run = await runLimits({ seed, claims: 4_000, mostMs: 60_000, say });
  expect(run.worst).toBe(0);
  expect(run.wrong, `replay with CHAOS_SEED=${seed}`).toEqual([]);
  expect(run.begins).toBeGreaterThan(500);
  expect(run.kills).toBeGreaterThan(0);
  // which of them is reached depends on what the seed makes of the rules
  expect(run.reached.size).toBeGreaterThan(0);
});
