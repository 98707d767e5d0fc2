import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promtool } from '#test/helpers/promtool.ts';

const checker = promtool();
const folder = join(import.meta.dirname, '../../dashboards/prometheus');

function run(...args: readonly string[]): { readonly status: number | null; readonly says: string } {
  const { status, stdout, stderr } = spawnSync(checker ?? '', args, { cwd: folder, encoding: 'utf8' });
  return { status, says: status === 0 ? '' : `${stdout}${stderr}` };
}

const fine = { status: 0, says: '' };

test.skipIf(checker === undefined)('promtool takes the configuration and every rule (needs promtool)', () => {
  expect(run('check', 'config', 'prometheus.yaml')).toEqual(fine);
});

test.skipIf(checker === undefined).each(['alerts', 'objectives'])(
  'every alert fires when it should, and not when it nearly should: %s (needs promtool)',
  (name) => {
    expect(run('test', 'rules', `tests/${name}.yaml`)).toEqual(fine);
  },
  120_000,
);
