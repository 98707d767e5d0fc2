import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#test/helpers/processes.ts';
import { fromSource } from '#test/packages/readme-files.ts';
import { writeProgram } from './programs.ts';

const main = join(import.meta.dirname, '../../../packages/worker-conformance/src/main.ts');
const run = (args: readonly string[], cwd?: string) =>
  spawnSync(process.execPath, [...fromSource, main, ...args], { encoding: 'utf8', ...(cwd !== undefined && { cwd }) });

test('it prints a row a case, or a line of JSON, and says by its exit code whether all have passed', {
  timeout: 200_000,
}, () => {
  using folder = testFolder();
  const { command, cwd } = writeProgram(folder.path, 'typescript');
  const good = run(['--only', 'effects', '--patience', '60', '--together', '2', '--', ...command], cwd);
  expect([good.status, good.stderr]).toEqual([0, '']);
  expect(good.stdout).toMatch(/^(pass {2}effects {2}an effect .+\n){7}\n7 passed, 0 failed\n$/);
  const bad = run(['--only', 'ends', '--json', '--', process.execPath, '-e', ''], cwd);
  expect(bad.status).toBe(1);
  const lines = bad.stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [1, 2, 3].map(() => ({
      group: 'ends',
      name: expect.any(String),
      faults: ['expected 1 requests to poll, but the program ended: it printed nothing'],
    })),
  );
});

test('error: arguments that are wrong end with 2 and the help', () => {
  for (const [args, said] of [
    [[], 'expected the worker program behind --, got none.'],
    [['--patience', 'x', '--', 'true'], '--patience: expected a number above zero, got x.'],
    [['--only', 'none', '--', 'true'], 'expected one of the groups'],
    [['--what'], '--what'],
  ] as const) {
    const { status, stderr } = run(args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(stderr).toContain('usage: proofline-conformance');
  }
  expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Exit codes') });
});
