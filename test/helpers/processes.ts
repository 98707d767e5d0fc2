import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratch } from './scratch.ts';

const root = join(import.meta.dirname, '../..');

/** A folder of its own, gone at the end. */
export function testFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(scratch, 'proofline-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Script extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Everything it printed so far. */
  readonly output: () => string;
  /** Waits until what it printed fits, and gives the match. @throws when it ends before, or after 60 s. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Runs a command from the root of the repository; killed at the end if it still runs. */
export function runCommand(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = root,
  input: 'ignore' | 'pipe' = 'ignore',
): Script {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: [input, 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, 'close').then(() => child.signalCode ?? child.exitCode ?? 1);
  const printed = async (pattern: RegExp) => {
    await until(() => pattern.test(text) || isOver());
    const match = pattern.exec(text);
    if (!match) throw new Error(`expected the output to fit ${pattern}, got:\n${text}`);
    return match;
  };
  return {
    child,
    output: () => text,
    printed,
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs TypeScript from a text, with this Node. */
export function runScript(code: string, env: NodeJS.ProcessEnv = {}): Script {
  return runCommand(process.execPath, ['--input-type=module-typescript', '--eval', code], env);
}

/** Waits until something holds. @throws when it does not within 60 s. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`expected within 60 s: ${holds.toString()}`);
    await sleep(10);
  }
}

/** Checks whether a process runs; one that has ended and is only not yet collected does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
