import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Writes anew what is made of tables and schemas, and held to them by tests. `--tables` leaves out what needs servers. */
function run(args: readonly string[], output: 'inherit' | 'pipe' = 'inherit'): string {
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', output, 'inherit'],
    maxBuffer: 16 << 20,
  });
  if (status === 0) return stdout ?? '';
  throw new Error(`expected ${args.join(' ')} to end with 0, got ${status}`);
}

const list = (command: string, file: string) =>
  writeFileSync(join(root, file), run(['src/cli.ts', command, '--markdown'], 'pipe'));

list('settings', 'docs/settings.md');
list('metrics', 'docs/metrics.md');
// the rules first: manifests are made of them
run(['dashboards/write.ts']);
run(['deploy/write.ts']);
if (!process.argv.includes('--tables')) {
  const types = 'test/console/api-types.int.test.ts';
  run(['node_modules/vitest/vitest.mjs', 'run', '--project', 'integration', types, '--update']);
}
