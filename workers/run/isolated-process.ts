import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { Context } from '#src/system/context.ts';
import { environmentOf } from './isolated-environment.ts';
import type { FromIsolated, ToIsolated } from './isolated-messages.ts';
import { countForIsolated } from './isolated-metrics.ts';

const guard = pathToFileURL(`${import.meta.dirname}/../../bin/end-with-parent.mjs`).href;

/** An isolated process whose servers do not answer must not hold up the suspects of other fleets. */
const START_MS = 30_000;

/**
 * The handlers of a process for suspects: a module that exports them as `handlers`, or a program that calls `runIsolated`
 * where it is started with this environment beside that of its parent.
 */
export type IsolatedProgram =
  | URL
  | { readonly file: string | URL; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

export interface IsolatedProcess {
  /**
   * Runs one job there. Answers null when the isolated process is done with it, or how the isolated process ended, and
   * whether it had claimed it.
   */
  readonly run: (job: ToIsolated, limitMs: number) => Promise<IsolatedEnd | null>;
  /**
   * Asks it to end, and ends it by force after `graceMs`; resolves when it is gone. What it ran then does not count.
   */
  readonly end: (graceMs: number) => Promise<void>;
  readonly isAlive: () => boolean;
}

export interface IsolatedEnd {
  /** Attempt of the claim it held; null where it had claimed nothing. */
  readonly attempt: number | null;
  readonly how: string;
  /** True where its parent requested its end, which then says nothing about the job. */
  readonly isRequested: boolean;
}

/** Starts a process for suspects. @throws when it ends before it is ready. */
export async function startIsolated(
  context: Context,
  fleet: string,
  module: IsolatedProgram,
): Promise<IsolatedProcess> {
  const { file, args, env } = module instanceof URL ? mainOf(fleet, module) : module;
  const child = fork(file, args, {
    ...program(),
    env: { ...environmentOf(context.config), ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  child.on('message', (message: FromIsolated) => {
    if (message.kind === 'counted') countForIsolated(context.metrics, message);
  });
  let isRequested = false;
  await isReady(child);
  // a message to an isolated process that just ended: its exit tells the rest
  child.on('error', (error) => context.log.debug({ err: error }, 'lane'));
  return {
    isAlive,
    run: async (job, limitMs) => {
      const death = await untilDone(context, child, job, limitMs);
      return death && { ...death, isRequested };
    },
    end: async (graceMs) => {
      isRequested = true;
      if (!isAlive()) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(force);
    },
  };
}

const mainOf = (fleet: string, module: URL) => ({
  file: new URL('./isolated-main.ts', import.meta.url),
  args: [fleet, module.href],
  env: {},
});

let canDieWithParent: boolean | undefined;

/**
 * Builds the command that starts Node so that the isolated process ends with its parent, whatever ends that. The guard
 * needs the isolated process's event loop, which a bad suspect blocks for ever; on Linux the kernel does it.
 */
function program(): { execPath: string; execArgv: string[] } {
  const args = [...process.execArgv, '--import', guard];
  canDieWithParent ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { timeout: 5_000 }).status === 0;
  if (!canDieWithParent) return { execPath: process.execPath, execArgv: args };
  return { execPath: 'setpriv', execArgv: ['--pdeathsig', 'KILL', process.execPath, ...args] };
}

async function isReady(child: ChildProcess): Promise<void> {
  const limit = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const ready = new Promise<void>((resolve, reject) => {
    let why = '';
    const failed = (code: number | null, signal: string | null) =>
      reject(new Error(`the process for suspects ended (${signal ?? code}) before it was ready${why}`));
    const hear = (message: FromIsolated) => {
      if (message.kind === 'unready') why = `: ${message.why}`;
      if (message.kind !== 'ready') return;
      child.off('exit', failed).off('error', reject).off('message', hear);
      resolve();
    };
    child.once('exit', failed).once('error', reject).on('message', hear);
  });
  await ready.finally(() => clearTimeout(limit));
}

async function untilDone(
  { metrics }: Context,
  child: ChildProcess,
  job: ToIsolated,
  limitMs: number,
): Promise<Omit<IsolatedEnd, 'isRequested'> | null> {
  const running = metrics.proofline_jobs_running;
  const { promise, resolve } = Promise.withResolvers<Omit<IsolatedEnd, 'isRequested'> | null>();
  let attempt: number | null = null;
  const kill = () => child.kill('SIGKILL');
  // a blocked event loop hears no timeout of its own
  let limit = setTimeout(kill, limitMs);
  const hear = (message: FromIsolated) => {
    if (!('id' in message) || message.id !== job.id) return;
    if (message.kind === 'done') return resolve(null);
    attempt = message.attempt;
    running.inc({ queue: job.queue });
    clearTimeout(limit);
    limit = setTimeout(kill, limitMs);
  };
  const exit = (code: number | null, signal: string | null) =>
    resolve({ attempt, how: signal ? `signal ${signal}` : `exit code ${code}` });
  child.on('message', hear).once('exit', exit);
  if (child.exitCode !== null || child.signalCode !== null) exit(child.exitCode, child.signalCode);
  else child.send(job);
  return await promise.finally(() => {
    clearTimeout(limit);
    child.off('message', hear).off('exit', exit);
    if (attempt !== null) running.dec({ queue: job.queue });
  });
}
