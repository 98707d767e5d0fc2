import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const script = `
import { loadConfig } from '#src/system/config.ts';
import { hideFromLogs, openLog } from '#src/system/log.ts';
const log = openLog(loadConfig({ LOG_LEVEL: 'info', KEY_PEPPER: 'pepper-pepper-pepper-pepper-pepper' }), 'test');
log.info({ token: 'a "quoted" secret' }, 'before');
hideFromLogs('a "quoted" secret');
log.info({ token: 'Bearer a "quoted" secret', deep: { list: ['a "quoted" secret'] } }, 'after pepper-pepper-pepper-pepper-pepper');
`;

test('what is hidden from logs is masked in every line from then on, as secret settings are', () => {
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  });
  expect([status, stderr.split('\n').length]).toEqual([0, 3]);
  const [before, after] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(before).toMatchObject({ token: 'a "quoted" secret' });
  expect(after).toMatchObject({ token: 'Bearer [removed]', deep: { list: ['[removed]'] }, msg: 'after [removed]' });
});
