import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#test/helpers/processes.ts';
import { examplesOf, fromSource, readmes, writeExamples } from './readme-files.ts';

const root = join(import.meta.dirname, '../..');

test.each(readmes)('the examples of %s compile, as strictly as a careful user does', { timeout: 120_000 }, (page) => {
  using folder = testFolder();
  const own = writeExamples(folder.path, page);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    jsx: 'react-jsx',
    types: ['node'],
    skipLibCheck: true,
    customConditions: ['@proofline/source'],
  };
  const files = [...examplesOf(page).keys()];
  expect(files.length).toBeGreaterThan(0);
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', own], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

test('the example of a test passes, and would not without its signal', () => {
  using folder = testFolder();
  const own = writeExamples(folder.path, 'packages/worker/README.md');
  const run = () =>
    spawnSync(process.execPath, [...fromSource, '--test-reporter=tap', 'order.test.ts'], {
      cwd: own,
      encoding: 'utf8',
    });
  const { status, stdout } = run();
  expect([status, stdout]).toEqual([0, expect.stringMatching(/# pass 2\n# fail 0/)]);
  const file = join(own, 'order.test.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace("await run.signal('paid', { amount: 42 });", ''));
  expect(run().stdout).toMatch(/# fail 1/);
});

test.each(readmes)('links of %s lead to files that are there', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link);
  const gone = links.filter((link) => !link.startsWith('https:') && !existsSync(join(root, dirname(page), link)));
  expect([links.length > 0, gone]).toEqual([true, []]);
});
