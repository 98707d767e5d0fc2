import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome } from '#src/commands/start/home.ts';
import { testFolder } from '#test/helpers/processes.ts';

test('a home is made with the folders above it, for its owner alone, and may exist already', () => {
  using folder = testFolder();
  const home = join(folder.path, 'a/b');
  makeHome(home);
  makeHome(home);
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('error: a home that cannot be made is one sentence that names the setting', () => {
  using folder = testFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  for (const home of [
    file,
    join(file, 'below'),
    '/dev/null/below',
    ...(process.platform === 'linux' ? ['/proc/x'] : []),
  ])
    expect(() => makeHome(home)).toThrow(/^PROOFLINE_HOME: expected a folder .*\.$/);
});
