import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promtool } from '#test/helpers/promtool.ts';
import { root } from './manifests.ts';

const program = promtool();

test.skipIf(program === undefined)('Prometheus takes the configuration of the compose file', () => {
  const check = ['check', 'config', '--syntax-only', join(root, 'deploy/prometheus.yaml')];
  const { status, stdout, stderr } = spawnSync(program!, check, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toContain('SUCCESS');
  expect(status).toBe(0);
});
