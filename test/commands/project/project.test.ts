import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addJob } from '#src/commands/project/new-job.ts';
import { succeeds } from '#src/system/embedded/programs.ts';
import { runHere } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';

const root = join(import.meta.dirname, '../../..');
const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const read = (...parts: string[]): string => readFileSync(join(...parts), 'utf8');

test('a new project and a job that is added to it compile as strictly as they say', { timeout: 120_000 }, async () => {
  using folder = testFolder();
  const { exit, output } = await runHere(['init', folder.path]);
  expect([exit, output]).toEqual([0, expect.stringContaining(`cd ${folder.path}\nnpm install\nnpm start`)]);
  expect(addJob(folder.path, 'acme.resize-image')).toEqual(['jobs/resize-image.ts', 'jobs/index.ts']);
  expect(read(folder.path, 'jobs/index.ts')).toBe(`import { welcomeCustomer } from './welcome-customer.ts';
import { resizeImage } from './resize-image.ts';

export const jobs = [welcomeCustomer, resizeImage];
`);
  expect(read(folder.path, 'jobs/resize-image.ts')).toContain(
    "export const resizeImage = defineJob({\n  name: 'acme.resize-image',",
  );
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', folder.path, '--customConditions', '@proofline/source'];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout).toBe('');
});

test('package.json names our packages and tools by exact versions, and adds to one that is there', async () => {
  using folder = testFolder();
  const place = join(folder.path, 'My Jobs');
  mkdirSync(place);
  const there = { description: 'ours', scripts: { lint: 'x' }, dependencies: { proofline: 'file:../proofline.tgz' } };
  writeFileSync(join(place, 'package.json'), JSON.stringify(there));
  expect((await runHere(['init', place, '--json'])).exit).toBe(0);
  expect(JSON.parse(read(place, 'package.json'))).toEqual({
    name: 'my-jobs',
    description: 'ours',
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: {
      start: 'proofline up',
      preworker: 'proofline check-node',
      worker: 'node --watch --env-file=.proofline/jobs.env worker.ts',
      preapp: 'proofline check-node',
      app: 'node --env-file=.proofline/jobs.env app.ts',
      check: 'tsc',
      lint: 'x',
    },
    dependencies: {
      '@proofline/client': version,
      '@proofline/worker': version,
      proofline: 'file:../proofline.tgz',
    },
    devDependencies: { '@types/node': devDependencies['@types/node'], typescript: devDependencies.typescript },
  });
});

test.each([
  [{ type: 'commonjs' }, 'package.json: expected type to be "module" or absent, got "commonjs"'],
  [
    { scripts: { start: 'node .' } },
    'package.json: expected scripts.start to be "proofline up" or absent, got "node ."',
  ],
])('error: a package.json with %j is left as it is, and nothing is written', async (there, says) => {
  using folder = testFolder();
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify(there));
  expect(await runHere(['init', folder.path])).toEqual({ exit: 2, output: expect.stringContaining(says) });
  expect(readdirSync(folder.path)).toEqual(['package.json']);
  expect(JSON.parse(read(folder.path, 'package.json'))).toEqual(there);
});

test('error: files that are there are named and not overwritten, and none is written beside them', async () => {
  using folder = testFolder();
  for (const file of ['app.ts', 'README.md']) writeFileSync(join(folder.path, file), 'mine');
  expect(await runHere(['init', folder.path])).toEqual({
    exit: 2,
    output: `expected a place for new files, got README.md, app.ts in ${folder.path} already; nothing was written.\n`,
  });
  expect(readdirSync(folder.path)).toEqual(['README.md', 'app.ts']);
  expect(read(folder.path, 'app.ts')).toBe('mine');
});

test.skipIf(!succeeds('python3', ['--version']))('the twin in Python takes a job more and can be read', async () => {
  using folder = testFolder();
  expect((await runHere(['init', folder.path, '--language', 'python'])).exit).toBe(0);
  expect(addJob(folder.path, 'acme.resize-image')).toEqual(['jobs/resize_image.py', 'jobs/__init__.py']);
  const code = 'import jobs; print([(job.name, job.contract["title"] != "") for job in jobs.jobs])';
  const { stdout, stderr } = spawnSync('python3', ['-c', code], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: join(root, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect([stderr, stdout]).toEqual(['', "[('acme.welcome-customer', True), ('acme.resize-image', True)]\n"]);
  expect(JSON.parse(read(folder.path, 'package.json'))).not.toHaveProperty('devDependencies');
});

test('lines above the list stay; a list that was changed by hand is left to that hand', async () => {
  using folder = testFolder();
  await runHere(['init', folder.path]);
  const index = join(folder.path, 'jobs/index.ts');
  const text = `// ours\n${read(index)}`;
  writeFileSync(index, text);
  addJob(folder.path, 'acme.send-mail');
  expect(read(index)).toMatch(/^\/\/ ours\nimport /);
  writeFileSync(index, 'export const jobs = [];\n');
  expect(() => addJob(folder.path, 'acme.resize-image')).toThrow(
    /^jobs\/index\.ts: expected the list as proofline writes it/,
  );
  expect(readdirSync(join(folder.path, 'jobs'))).not.toContain('resize-image.ts');
});

test.each([
  ['resize', 'name: expected <namespace>.<verb-noun> in lower case'],
  ['acme.delete', 'name: expected a verb and a noun with a hyphen behind the full stop'],
  ['studio.cut-film', "expected a namespace of your own, got studio, which is this product's"],
  ['acme.welcome-customer', 'expected a place for new files, got jobs/welcome-customer.ts'],
])('error: a job called %s is refused with the rule', async (name, says) => {
  using folder = testFolder();
  await runHere(['init', folder.path]);
  const before = read(folder.path, 'jobs/index.ts');
  expect(() => addJob(folder.path, name)).toThrow(says);
  expect(read(folder.path, 'jobs/index.ts')).toBe(before);
});

test('error: a folder without a project is told what to do', async () => {
  expect(await runHere(['new', 'job', 'acme.resize-image'])).toEqual({
    exit: 2,
    output: expect.stringMatching(/^expected a project of proofline init, got none in .+: run it there first/),
  });
});
