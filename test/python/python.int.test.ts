import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { type TestWorld, testWorld } from '#test/helpers/test-world.ts';
import { library, python, pythonEnv } from './find-python.ts';

/*
 * The library against a whole system: the programs of its README as they stand there, and workers that end in the midst of
 * their jobs. python.test.ts has what needs no system.
 */
const skip = python === undefined;
const where = skip ? ' (skipped: no Python 3.11 or later here)' : '';
const patient = { timeout: 180_000, skip };

interface Program extends AsyncDisposable {
  /** All that it has printed so far, on both streams. */
  readonly output: () => string;
  readonly isOver: () => boolean;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** A folder with the programs of the README and of these tests, and a key for them. */
async function programsFor(world: TestWorld) {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'proofline-python-'));
  const page = readFileSync(join(library, 'README.md'), 'utf8');
  // a test does not wait for an hour
  for (const [, name = '', text = ''] of page.matchAll(/```python\n# ([a-z]+\.py)\n([^`]*)```/g))
    writeFileSync(join(folder.path, name), text.replace('"1h"', '"100ms"'));
  copyFileSync(join(import.meta.dirname, 'programs/crash.py'), join(folder.path, 'crash.py'));
  const { secret, headers } = await world.key();
  const env = { ...pythonEnv, PROOFLINE_URL: world.url, PROOFLINE_KEY: secret };
  const start = (name: string): Program => startProgram(join(folder.path, name), folder.path, env);
  const printed = [...page.matchAll(/```python\n# ([a-z]+\.py)\n[^`]*```\n\n```text\n([^`]*)```/g)];
  return { start, headers, printed, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

function startProgram(file: string, cwd: string, env: NodeJS.ProcessEnv): Program {
  const child = spawn(python ?? 'python3', [file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('close', (code) => resolve({ code, output }));
    child.once('error', reject);
  });
  return {
    output: () => output,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    ended,
    kill: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test(`the programs of the README run against the API as they stand there${where}`, patient, async () => {
  await using world = await testWorld({}, { starts: [startFlows] });
  using programs = await programsFor(world);
  await using worker = programs.start('worker.py');
  await registered(world, programs.headers, worker, 'acme.take-order');
  expect(programs.printed.map(([, name]) => name)).toEqual(['app.py', 'many.py', 'gallery.py', 'confirm.py']);
  for (const [, name = '', expected] of programs.printed) {
    await using program = programs.start(name);
    const { code, output } = await program.ended;
    // the newest progress wins, so that any of it may be left out
    expect({ name, code, output: output.replaceAll(/^progress\n/gm, '') }).toEqual({ name, code: 0, output: expected });
  }
  worker.kill('SIGTERM');
  expect(await worker.ended).toEqual({ code: 0, output: '' });
});

test(`a job whose worker is killed goes on at another one behind its steps${where}`, patient, async () => {
  await using world = await testWorld();
  using programs = await programsFor(world);
  await using first = programs.start('crash.py');
  const job = await submitted(world, programs.headers, first, 'acme.survive-crash');
  await expect.poll(first.output).toContain('begun');
  first.kill('SIGKILL');
  await using second = programs.start('crash.py');
  const read = async () => (await world.call('GET', `/v1/jobs/${job}`, programs.headers)).body;
  await expect.poll(async () => (await read()).state).toBe('succeeded');
  const { result, attempt, failures } = await read();
  expect({ result, failures }).toEqual({ result: { first: 1, attempt }, failures: 0 });
  expect(attempt).toBeGreaterThan(1);
  second.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});

test(`a job that is cancelled, or whose worker ends, is stopped${where}`, patient, async () => {
  await using world = await testWorld();
  using programs = await programsFor(world);
  await using worker = programs.start('crash.py');
  const job = await submitted(world, programs.headers, worker, 'acme.be-cancelled');
  await expect.poll(worker.output).toContain('begun');
  expect((await world.call('DELETE', `/v1/jobs/${job}`, programs.headers)).status).toBe(200);
  await expect.poll(worker.output).toContain('stopped: cancelled');
  const other = await submitted(world, programs.headers, worker, 'acme.be-cancelled');
  await expect.poll(() => worker.output().split('begun').length).toBe(3);
  worker.kill('SIGTERM');
  // the second signal ends the wait for the job
  worker.kill('SIGINT');
  const { code, output } = await worker.ended;
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('stopped: drain') });
  const { state, failures } = (await world.call('GET', `/v1/jobs/${other}`, programs.headers)).body;
  expect({ state, failures }).toEqual({ state: 'queued', failures: 0 });
});

type Headers = Readonly<Record<string, string>>;

/** Waits until a worker has registered a queue; one that ends instead fails at once. */
async function registered(world: TestWorld, headers: Headers, worker: Program, queue: string): Promise<void> {
  const isThere = async () => (await world.call('GET', `/v1/queues/${queue}`, headers)).status === 200;
  await expect.poll(async () => worker.isOver() || (await isThere())).toBe(true);
  expect(worker.isOver(), worker.output()).toBe(false);
}

/** The id of a new job, once a worker has registered its queue. */
async function submitted(world: TestWorld, headers: Headers, worker: Program, queue: string): Promise<string> {
  await registered(world, headers, worker, queue);
  const asynchronous = { ...headers, prefer: 'respond-async' };
  const { status, body } = await world.call('POST', `/v1/queues/${queue}/jobs`, asynchronous, { payload: {} });
  expect(status).toBe(202);
  return body.id;
}
