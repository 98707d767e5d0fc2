import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ready } from '#src/system/embedded/ready-file.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';
import { untilReady } from './shell.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/add-a-job.md'), 'utf8');

/** Does what the guide says to a checkout, by its blocks in order; answers the files that it made or changed. */
function follow(checkout: string): readonly string[] {
  return [...guide.matchAll(/^```(ts|diff)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => {
    const [head = '', ...lines] = text.trimEnd().split('\n');
    const file = /^(?:\/\/|---) (\S+)$/.exec(head)?.[1];
    if (file === undefined) throw new Error(`expected the name of a file at the top of:\n${text}`);
    const path = join(checkout, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, kind === 'ts' ? `${lines.join('\n')}\n` : patched(readFileSync(path, 'utf8'), lines));
    return file;
  });
}

/** A text with the lines that begin with + put before or behind the one beside them, which must stand in it once. */
function patched(text: string, patch: readonly string[]): string {
  const lines = text.split('\n');
  let at = -1;
  for (const [index, line] of patch.entries()) {
    if (line.startsWith(' ')) {
      at = placeOf(lines, line.slice(1));
      continue;
    }
    // the next line that stands there already, where none has come yet
    const next = patch.slice(index).find((one) => one.startsWith(' '));
    const isAhead = next !== undefined && (at === -1 || line.startsWith('+import'));
    at = isAhead ? placeOf(lines, next.slice(1)) : at + 1;
    lines.splice(at, 0, line.slice(1));
  }
  return lines.join('\n');
}

function placeOf(lines: readonly string[], line: string): number {
  expect([line, lines.filter((one) => one === line).length]).toEqual([line, 1]);
  return lines.indexOf(line);
}

test('a job that is added as the guide says runs: on npm start, and in all lists of fleets', {
  timeout: 900_000,
  retry: 0,
}, async () => {
  using folder = testFolder();
  const checkout = join(folder.path, 'checkout');
  mkdirSync(checkout);
  for (const name of readdirSync(root)) {
    if (['.git', '.proofline', 'artifacts'].includes(name)) continue;
    if (name === 'node_modules') symlinkSync(join(root, name), join(checkout, name));
    else cpSync(join(root, name), join(checkout, name), { recursive: true, verbatimSymlinks: true });
  }
  const files = follow(checkout);
  expect(files).toHaveLength(7);
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8', maxBuffer: 64 << 20 });

  // the one command that the guide names
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(checkout, 'package.json'), 'utf8'),
  );
  expect(scripts['write']).toContain('test/write.ts');
  expect(node('test/write.ts', '--tables')).toMatchObject({ status: 0 });
  const read = (file: string) => readFileSync(join(checkout, file), 'utf8');
  expect(read('deploy/compose.yaml')).toContain('  acme:\n    <<: *proofline\n    command: ["worker", "acme"]\n');
  expect(read('deploy/prometheus.yaml')).toMatch(/names: \[.*\bacme\b.*\]/);
  expect(read('deploy/kubernetes/processes.yaml')).toContain('proofline/fleet: acme');
  expect(read('deploy/kubernetes/rules.yaml')).toContain('acme.shout-text');
  const types = node('node_modules/typescript/bin/tsc', '--noEmit');
  expect(types.stdout).toBe('');
  const linted = [
    node('node_modules/@biomejs/biome/bin/biome', 'check', ...files),
    node('node_modules/oxlint/bin/oxlint', ...files),
  ];
  expect(linted.map(({ status, stdout, stderr }) => (status === 0 ? '' : stdout + stderr))).toEqual(['', '']);
  // what holds the lists to their tables, and the layers
  const held = [
    'test/layers.test.ts',
    'test/workers/fleets.test.ts',
    'test/deploy',
    'test/dashboards',
    'test/docs-metrics.test.ts',
  ];
  const tests = node('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...held);
  expect({ status: tests.status, output: tests.status === 0 ? '' : tests.stdout + tests.stderr }).toEqual({
    status: 0,
    output: '',
  });

  const home = join(folder.path, 'home');
  await using system = runCommand(
    process.execPath,
    ['bin/proofline.mjs', 'up'],
    {
      PROOFLINE_HOME: home,
      PORT: '0',
      METRICS_PORT: '0',
      FEED: 'none',
      DATABASE_URL: '',
      REDIS_URL: '',
      KEY_PEPPER: '',
    },
    checkout,
  );
  await untilReady(system);
  const { url, keys }: Ready = JSON.parse(readFileSync(join(home, 'ready.json'), 'utf8'));
  const answer = await fetch(`${url}/v1/acme/shout`, {
    method: 'POST',
    headers: { 'x-api-key': keys.analytics, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'a harbour wakes' }),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { text: 'A HARBOUR WAKES!' }]);
  system.child.kill('SIGINT');
  expect(await system.ended).toBe(0);
});
