import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { AppError } from '#src/lib/errors.ts';

const root = join(import.meta.dirname, '../../..');
const guard = pathToFileURL(join(root, 'bin/end-with-parent.mjs')).href;

/** A process of this system that runs as our child, started by the same command as in a deployment. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly log: string;
  /** Fulfilled when it has ended, with how. */
  readonly ended: Promise<string>;
  /** Asks it to end, and ends it by force after `graceMs`; fulfilled when it is gone. */
  readonly stop: (graceMs: number) => Promise<void>;
}

export interface ChildStart {
  readonly name: string;
  /** Arguments of the command line: `['worker', 'analytics']`. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** File that takes what it prints, behind what is there; the one before is kept beside it once it is large. */
  readonly log: string;
}

const LARGE_LOG = 10_000_000;

/**
 * Starts a child in a process group of its own, so that Ctrl-C reaches us alone and we stop things in order; it ends by
 * itself when we are gone, however we went.
 */
export function startChild({ name, args, env, log }: ChildStart): Child {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  // a start after a crash must not take away its traces
  if (sizeOf(log) > LARGE_LOG) renameSync(log, `${log}.1`);
  const output = openSync(log, 'a', 0o600);
  const child = spawn(process.execPath, ['--import', guard, join(root, 'src/cli.ts'), ...args], {
    env,
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  return { name, pid: child.pid ?? 0, log, ended, stop: async (graceMs) => await stop(child, ended, graceMs) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function stop(child: ChildProcess, ended: Promise<string>, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(force);
}

/**
 * Waits until the child answers 200 at the address.
 *
 * @throws AppError `unavailable` with the end of its log when it ends first, or is not ready within 60 s.
 */
export async function childReady(child: Child, url: string, signal: AbortSignal): Promise<void> {
  let end: string | undefined;
  const note = async () => {
    end = await child.ended;
  };
  void note();
  const deadline = performance.now() + 60_000;
  while (!(await answers(url))) {
    if (end !== undefined) throw childFailed(child, `ended before it was ready (${end})`);
    if (performance.now() > deadline) throw childFailed(child, `does not answer at ${url} after 60 s`);
    await sleep(20, undefined, { signal });
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

/** Makes the error of a child that failed, with the last lines it printed. */
export function childFailed({ name, log }: Child, what: string): AppError {
  const lines = readFileSync(log, 'utf8').trim().split('\n').slice(-8).join('\n');
  return new AppError('unavailable', `The ${name} process ${what}. The end of ${log}:\n${lines || '(nothing)'}`, {
    log,
  });
}
