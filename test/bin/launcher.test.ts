import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommand, runs, type Script, testFolder, until } from '#test/helpers/processes.ts';

const root = join(import.meta.dirname, '../..');

/** A checkout with nothing in it but the launcher and one program, and an npm that only notes that it was called. */
function checkout(
  folder: string,
  program: string,
  npm = 'sleep 0.3; mkdir -p node_modules',
): (...args: string[]) => Script {
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'tools'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines: { node: '>=20' } }));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } }),
  );
  writeFileSync(join(folder, 'src/cli.ts'), program);
  writeFileSync(join(folder, 'tools/npm'), `#!/bin/sh\necho "$@" >> calls\n${npm}\n`);
  chmodSync(join(folder, 'tools/npm'), 0o755);
  const env = { PATH: join(folder, 'tools') + delimiter + (process.env['PATH'] ?? ''), npm_lifecycle_event: '' };
  return (...args) => runCommand(process.execPath, [join(folder, 'bin/proofline.mjs'), ...args], env, folder);
}

const calls = (folder: string): number => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n').length;

const patient = 'console.log("pid", process.pid); setInterval(() => {}, 1000);';

test('it installs what is missing, says so, and runs the command line with the arguments', async () => {
  using folder = testFolder();
  const launch = checkout(
    folder.path,
    'console.log("args", process.argv.slice(2).join("+"), process.execArgv.length);',
  );
  await using first = launch('up', '--now');
  expect(await first.ended).toBe(0);
  expect(first.output()).toMatch(/installing dependencies \(npm ci, up to 1 packages\)/);
  expect(first.output()).toMatch(/installed dependencies in \d\.\d s/);
  expect(first.output()).toContain('args up+--now 0');
  await using second = launch('up');
  expect(await second.ended).toBe(0);
  expect(second.output()).toBe('args up 0\n');
  expect(calls(folder.path)).toBe(1);
});

test('it installs again when the lockfile has changed, but not when npm has brought the packages already', async () => {
  using folder = testFolder();
  const launch = checkout(folder.path, '');
  await launch().ended;
  const packages = {
    '': {},
    'node_modules/b': { version: '2.0.0' },
    'node_modules/mac': { version: '1.0.0', optional: true, os: ['darwin2'] },
  };
  writeFileSync(join(folder.path, 'package-lock.json'), JSON.stringify({ packages }));
  await launch().ended;
  expect(calls(folder.path)).toBe(2);
  writeFileSync(join(folder.path, 'package-lock.json'), JSON.stringify({ packages, changed: true }));
  mkdirSync(join(folder.path, 'node_modules/b'), { recursive: true });
  writeFileSync(
    join(folder.path, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/b': { version: '2.0.0' } } }),
  );
  await launch().ended;
  expect(calls(folder.path)).toBe(2);
});

test('a package, which has no lockfile, installs nothing, and keeps compiled code beside what npm has installed', async () => {
  using folder = testFolder();
  const own = join(folder.path, 'node_modules/proofline');
  mkdirSync(own, { recursive: true });
  const launch = checkout(own, 'console.log("cache", process.env.NODE_COMPILE_CACHE);');
  rmSync(join(own, 'package-lock.json'));
  // as it is packed: Node runs no TypeScript there
  renameSync(join(own, 'src/cli.ts'), join(own, 'src/cli.js'));
  const launcher = join(own, 'bin/proofline.mjs');
  writeFileSync(launcher, readFileSync(launcher, 'utf8').replaceAll('src/cli.ts', 'src/cli.js'));
  vi.stubEnv('NODE_COMPILE_CACHE', undefined);
  await using script = launch('up');
  vi.unstubAllEnvs();
  expect(await script.ended).toBe(0);
  expect(script.output()).toBe(`cache ${join(folder.path, 'node_modules/.cache/proofline')}\n`);
  expect(existsSync(join(own, 'calls'))).toBe(false);
});

test('two starts at once install once; the other waits, and both run', async () => {
  using folder = testFolder();
  const launch = checkout(folder.path, 'console.log("ran");');
  await using one = launch();
  await using other = launch();
  expect(await Promise.all([one.ended, other.ended])).toEqual([0, 0]);
  expect(calls(folder.path)).toBe(1);
  expect(one.output() + other.output()).toContain('waiting for another start that installs dependencies');
  expect([one.output(), other.output()].every((output) => output.includes('ran'))).toBe(true);
});

test('an installation that was killed is done again', async () => {
  using folder = testFolder();
  const launch = checkout(folder.path, 'console.log("ran");', 'mkdir -p node_modules; sleep 2');
  const killed = launch();
  await until(() => readable(join(folder.path, 'calls')));
  killed.child.kill('SIGKILL');
  await using next = launch();
  expect(await next.ended).toBe(0);
  expect(calls(folder.path)).toBe(2);
  // The npm that was left still writes.
  expect(next.output()).toContain('waiting for another start');
  expect(next.output()).toContain('ran');
});

test('error: a failed npm, and one that is not there, are sentences without noise', async () => {
  using folder = testFolder();
  const launch = checkout(
    folder.path,
    '',
    'echo "npm warn EBADENGINE old" >&2; echo "npm error no network" >&2; exit 7',
  );
  await using failed = launch();
  expect(await failed.ended).toBe(1);
  expect(failed.output()).toContain('(exit code 7):\nnpm error no network');
  expect(failed.output()).not.toContain('EBADENGINE');
  const env = { PATH: '/nowhere', npm_lifecycle_event: '' };
  await using missing = runCommand(process.execPath, [join(folder.path, 'bin/proofline.mjs')], env, folder.path);
  expect(await missing.ended).toBe(1);
  expect(missing.output()).toContain('npm is not on the PATH: install Node 20 or newer with npm from nodejs.org');
});

test('exit codes and signals pass through', async () => {
  using folder = testFolder();
  const launch = checkout(
    folder.path,
    `
    if (process.argv[2] === 'fail') process.exit(3);
    process.on('SIGTERM', () => process.exit(42));
    ${patient}`,
  );
  await using failing = launch('fail');
  expect(await failing.ended).toBe(3);
  await using handled = launch();
  await handled.printed(/pid/);
  handled.child.kill('SIGTERM');
  expect(await handled.ended).toBe(42);
  await using ended = launch();
  await ended.printed(/pid/);
  ended.child.kill('SIGINT');
  expect(await ended.ended).toBe('SIGINT');
});

test('an interrupt that arrives twice at once, from the terminal and from npm, reaches the program once', async () => {
  using folder = testFolder();
  const launch = checkout(
    folder.path,
    `let count = 0;
    process.on('SIGINT', () => { count += 1; console.log('interrupt', count); });
    process.on('SIGTERM', () => process.exit(count));
    ${patient}`,
  );
  await using script = launch();
  await script.printed(/pid/);
  script.child.kill('SIGINT');
  await script.printed(/interrupt 1/);
  script.child.kill('SIGINT');
  script.child.kill('SIGTERM');
  expect(await script.ended).toBe(1);
});

test('the program is asked to stop when the launcher is killed with -9, and is made to if it does not', async () => {
  using folder = testFolder();
  const launch = checkout(folder.path, patient);
  const script = launch();
  const pid = Number((await script.printed(/pid (\d+)/))[1]);
  script.child.kill('SIGKILL');
  await until(() => !runs(pid));
  expect(await script.ended).toBe('SIGKILL');
});

test('a start by npm ends when npm is killed with -9', async () => {
  using folder = testFolder();
  checkout(folder.path, patient);
  mkdirSync(join(folder.path, 'node_modules'));
  const launcher = `${process.execPath} ${join(folder.path, 'bin/proofline.mjs')}`;
  // As npm does it: a shell between, and the name of the script in the environment.
  const npm = `import { spawn } from 'node:child_process';
    spawn('sh', ['-c', ${JSON.stringify(`${launcher}; true`)}], { stdio: 'inherit', env: { ...process.env, npm_lifecycle_event: 'start' } });`;
  const env = { PATH: join(folder.path, 'tools') + delimiter + (process.env['PATH'] ?? '') };
  const script = runCommand(process.execPath, ['--input-type=module', '--eval', npm], env, folder.path);
  const pid = Number((await script.printed(/pid (\d+)/))[1]);
  script.child.kill('SIGKILL');
  await until(() => !runs(pid));
  expect(await script.ended).toBe('SIGKILL');
});

function readable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
