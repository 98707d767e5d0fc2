import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

const script = `
import { loadConfig } from '#src/system/config/config.ts';
import { hideFromLogs, openLog } from '#src/system/logging/log.ts';
const log = openLog(loadConfig({ LOG_LEVEL: 'info', KEY_PEPPER: 'pepper-pepper-pepper-pepper-pepper', REDIS_URL: 'redis://:p%40ssword@a' }), 'test');
log.info({ args: ['AUTH', 'p@ssword'] }, 'redis://:p%40ssword@b');
log.info({ token: 'a "quoted" secret' }, 'before');
hideFromLogs('a "quoted" secret');
log.info({ token: 'Bearer a "quoted" secret', deep: { list: ['a "quoted" secret'] } }, 'after pepper-pepper-pepper-pepper-pepper');
`;

test('what is hidden from logs is masked in every line from then on, as secret settings are', () => {
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../../..', import.meta.url),
    encoding: 'utf8',
  });
  expect([status, stderr.split('\n').length]).toEqual([0, 4]);
  const [redis, before, after] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  // what the driver of Redis gives with its errors
  expect(redis).toMatchObject({ args: ['AUTH', '[removed]'], msg: 'redis://:[removed]@b' });
  expect(before).toMatchObject({ token: 'a "quoted" secret' });
  expect(after).toMatchObject({ token: 'Bearer [removed]', deep: { list: ['[removed]'] }, msg: 'after [removed]' });
});

const fromRoot = { cwd: new URL('../../..', import.meta.url), encoding: 'utf8' } as const;
const start = `
import { loadConfig } from '#src/system/config/config.ts';
import { droppedLogLines } from '#src/system/logging/log-destination.ts';
import { openLog } from '#src/system/logging/log.ts';
import { takeOutput } from '#src/system/logging/process-output.ts';
const log = openLog(loadConfig({ LOG_LEVEL: 'info' }), 'test');
`;

test.runIf(process.platform === 'linux')(
  'lines that a full disk does not take are dropped and counted, and nothing ends for it',
  () => {
    const full = openSync('/dev/full', 'w');
    const program = `${start}
    takeOutput(log);
    for (let n = 0; n < 3; n++) log.info({ n }, 'a line');
    console.error('a library');
    process.stderr.write('raw');
    setTimeout(() => process.stdout.write(String(droppedLogLines())), 50);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      ...fromRoot,
      stdio: ['ignore', 'pipe', full],
    });
    closeSync(full);
    expect([status, stdout]).toEqual([0, '4']);
  },
);

test('what libraries print and the runtime warns of are lines of the log; an error that ends the process names a full disk', () => {
  const program = `${start}
    takeOutput(log);
    console.warn('IMPORTANT! Eviction policy is %s', 'allkeys-lru');
    process.emitWarning('old ways');
    setTimeout(() => { throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' }); }, 50);`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], fromRoot);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(status).toBe(1);
  expect(lines).toEqual([
    expect.objectContaining({ level: 40, printed: true, msg: 'IMPORTANT! Eviction policy is allkeys-lru' }),
    expect.objectContaining({ level: 40, msg: 'a warning of the runtime' }),
    expect.objectContaining({ level: 60, msg: expect.stringContaining('No space is left on a disk of this server') }),
  ]);
});
