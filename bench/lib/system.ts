import { type ChildProcess, fork } from 'node:child_process';
import { memoryOf } from './process-tree.ts';

export interface RunningSystem extends AsyncDisposable {
  /** `http://host:port` of the API. */
  readonly url: string;
}

/** An API process and a worker process of the analytics fleet, started as in a deployment. Killed when disposed. */
export async function startSystem(env: Readonly<Record<string, string>>): Promise<RunningSystem> {
  await using stack = new AsyncDisposableStack();
  const [api, worker] = await Promise.all([
    startProcess(new URL('../../src/api/server.ts', import.meta.url), [], env),
    startWorker('analytics', env),
  ]);
  stack.use(api);
  stack.use(worker);
  const running = stack.move();
  return { url: api.url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** A worker process of a fleet, as in a deployment. Killed when disposed. */
export async function startWorker(fleet: string, env: Readonly<Record<string, string>>): Promise<AsyncDisposable> {
  return await startProcess(new URL('../../workers/main.ts', import.meta.url), [fleet], env);
}

/** Memory of an API process (RSS, MB) that listens and has answered nothing yet. */
export async function measureApi(env: Readonly<Record<string, string>>): Promise<number> {
  await using api = await startProcess(new URL('../../src/api/server.ts', import.meta.url), [], env);
  return memoryOf([api.pid])[0]?.rssMb ?? Number.NaN;
}

async function startProcess(
  program: URL,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningSystem & { readonly pid: number }> {
  const child = fork(program, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { url = '' } = await ready(child, program.pathname);
  return {
    url,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function ready(child: ChildProcess, name: string): Promise<{ readonly url?: string }> {
  return await new Promise((resolve, reject) => {
    child.on('message', (message: { readonly ready?: { readonly url?: string } }) => {
      if (message.ready) resolve(message.ready);
    });
    child.once('exit', (code, signal) => reject(new Error(`${name} ended (${signal ?? code})`)));
  });
}
