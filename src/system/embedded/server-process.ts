import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import { programOnPath, succeeds } from './programs.ts';

/** A private server that runs as a child of this process and ends with it. */
export interface ServerProcess {
  readonly pid: number;
  /** Fulfilled when the server has ended, for whatever reason, with how: `signal SIGKILL`, `exit code 1`. */
  readonly exited: Promise<string>;
  /** Asks the server to end, and ends it by force when it does not within 15 s. */
  readonly stop: () => Promise<void>;
}

export interface ServerStart {
  readonly name: string;
  /** The server's command line, without the part that ties it to this process. */
  readonly argv: readonly [string, ...string[]];
  /** Options for `setpriv` that make the server run as another user. */
  readonly dropTo?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** File that takes what the server prints; emptied first. */
  readonly log: string;
  /** Signal that ends the server fast and cleanly. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  readonly isReady: () => boolean | Promise<boolean>;
  /** True where the server must outlive a killed starter, as it does on systems that cannot tell it (for tests). */
  readonly outlives?: boolean | undefined;
}

/**
 * Starts a server and waits until it is ready. It gets a process group of its own, so that Ctrl-C reaches this program
 * and not the server under it; where the kernel can tell it of our death, it ends even when this process is killed.
 *
 * @throws AppError `unavailable` with the end of the server's log when it stops before it is ready, or is not within 60 s.
 */
export async function startServer(start: ServerStart): Promise<ServerProcess> {
  const child = launch(start);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.once('error', (error) => resolve(error.message));
  });
  const pid = child.pid;
  if (pid === undefined) {
    await exited;
    throw new AppError(
      'unavailable',
      `The private ${start.name} cannot be started: ${start.argv[0]} does not run here.`,
    );
  }
  const server = { pid, exited, stop: async () => await stopChild(child, exited, start.stopSignal) };
  try {
    await becomesReady(start, exited);
  } catch (error) {
    await server.stop();
    throw error;
  }
  child.unref();
  return server;
}

function launch({ argv, dropTo = [], env, log, stopSignal, outlives = false }: ServerStart): ChildProcess {
  const output = openSync(log, 'w', 0o600);
  const wrapper = [...dropTo, ...(outlives ? [] : deathSignal(stopSignal))];
  const [program, ...args] = wrapper.length > 0 ? (['setpriv', ...wrapper, ...argv] as const) : argv;
  try {
    return spawn(program, args, { env, cwd: '/', detached: true, stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

/** Options for `setpriv` by which the kernel sends the signal when the process that starts the server is gone. */
function deathSignal(signal: NodeJS.Signals): readonly string[] {
  const options = ['--pdeathsig', signal.slice('SIG'.length)];
  const setpriv = programOnPath(['setpriv']);
  return setpriv !== undefined && succeeds(setpriv, [...options, 'true']) ? options : [];
}

async function becomesReady({ name, log, isReady }: ServerStart, exited: Promise<string>): Promise<void> {
  let gone = false;
  const note = async () => {
    await exited;
    gone = true;
  };
  void note();
  const deadline = performance.now() + 60_000;
  // In order on purpose: ask, wait a little, ask again. Once ours is gone, it is another's server that answers.
  while (!(await isReady()) || gone) {
    if (gone || performance.now() > deadline) {
      const what = gone ? 'stopped before it was ready' : 'is not ready after 60 s';
      const end = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n');
      throw new AppError('unavailable', `The private ${name} ${what}. It said:\n${end}`, { log: end });
    }
    await sleep(5);
  }
}

async function stopChild(child: ChildProcess, exited: Promise<string>, signal: NodeJS.Signals): Promise<void> {
  child.ref();
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await exited;
  clearTimeout(force);
}
