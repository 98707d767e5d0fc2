import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { exportLine, shellVariables } from '#src/commands/data/env.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { takeHome } from '#src/system/embedded/home-lock.ts';
import { programOnPath } from '#src/system/embedded/programs.ts';
import { type Ready, writeReady } from '#src/system/embedded/ready-file.ts';
import { runHere } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { zshProgram } from '#test/helpers/zsh.ts';

/** A key that a shell would read otherwise where it is quoted wrong. */
const odd = `it's "$HOME" \`id\` !! \\ a\tb*`;

const ready: Ready = {
  url: 'http://127.0.0.1:4000',
  keys: {
    admin: 'sk-platform-admin',
    studio: odd,
    analytics: 'sk-platform-analytics',
    jobs: 'sk-platform-jobs',
    human: null,
  },
  servers: {
    api: { pid: 1, metrics: 'http://127.0.0.1:1/metrics' },
    worker: { pid: 1, metrics: 'http://127.0.0.1:2/metrics' },
    postgres: { url: 'postgres://one', private: true },
    redis: { url: 'redis://one', private: true },
    chain: { url: 'http://127.0.0.1:8545', id: 'eip155:31337', private: true },
    identity: null,
  },
};

const variables = {
  PROOFLINE_URL: 'http://127.0.0.1:4000',
  PROOFLINE_KEY: 'sk-platform-admin',
  ANALYTICS_KEY: 'sk-platform-analytics',
  STUDIO_KEY: odd,
  JOBS_KEY: 'sk-platform-jobs',
  HUMAN_KEY: null,
  CHAIN_URL: 'http://127.0.0.1:8545',
};

test('a running system’s exports come out of bash and zsh as they went in, and what it does not have is unset', async () => {
  using home = testFolder();
  await using _running = await takeHome(home.path);
  writeReady(home.path, ready);
  const { exit, output } = await runHere(['env', '--home', home.path]);
  expect(exit).toBe(0);
  const show = `${process.execPath} -p 'JSON.stringify(process.env)'`;
  const zsh = zshProgram();
  const shells = [
    [programOnPath(['bash']), ['--norc', '-c'], {}],
    [zsh?.path, ['-f', '-c'], zsh?.env ?? {}],
    // quotes in quotes mean something else there
    [zsh?.path, ['-f', '-o', 'rcquotes', '-c'], zsh?.env ?? {}],
  ] as const;
  let ran = 0;
  for (const [path, args, more] of shells) {
    if (path === undefined) continue;
    const env = { ...process.env, ...more, HUMAN_KEY: 'of another system', OUTPUT: output.trimEnd() };
    const { stdout, stderr } = spawnSync(path, [...args, `eval "$OUTPUT"; ${show}`], { env, encoding: 'utf8' });
    expect(stderr).toBe('');
    const { HUMAN_KEY: human = null, ...after } = JSON.parse(stdout) as Record<string, string>;
    expect({ HUMAN_KEY: human, ...after }).toMatchObject(variables);
    ran++;
  }
  expect(ran).toBeGreaterThan(0);
});

test('with --json the same is an object', async () => {
  using home = testFolder();
  await using _running = await takeHome(home.path);
  writeReady(home.path, ready);
  const { exit, output } = await runHere(['env', '--home', home.path, '--json'], {
    PROOFLINE_URL: 'http://127.0.0.1:9',
  });
  expect([exit, JSON.parse(output)]).toEqual([0, variables]);
});

test('error: where no system runs it says so and ends with 1, also beside what a killed one left', async () => {
  expect(await runHere(['env', '--home', '/nowhere'])).toEqual({
    exit: 1,
    output: expect.stringMatching(/^expected a system that runs on \/nowhere, got none\. Start one with npm start/),
  });
  using home = testFolder();
  writeReady(home.path, ready);
  expect(await runHere(['env', '--home', home.path])).toEqual({
    exit: 1,
    output: expect.stringContaining('ready.json is left from one that was killed'),
  });
});

test('a shell with these exports may start every process: none of them is taken for a setting', () => {
  const all = { ...shellVariables(ready), HUMAN_KEY: 'sk-platform-human' };
  expect(() => loadConfig(all as Record<string, string>)).not.toThrow();
});

test('a quote in a value ends nothing', () => {
  expect(exportLine(['A', `'; rm -rf /; '`])).toBe(`export A=''\\''; rm -rf /; '\\'''`);
});
