import { type ChildProcess, fork } from 'node:child_process';

export interface RunningSystem extends AsyncDisposable {
  /** `http://host:port` of the API. */
  readonly url: string;
}

/** An API process and a worker process of the analytics fleet, started as in a deployment. Killed when disposed. */
export async function startSystem(env: Readonly<Record<string, string>>): Promise<RunningSystem> {
  await using stack = new AsyncDisposableStack();
  const start = async (program: URL, argv: readonly string[]) => {
    const child = fork(program, argv, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    stack.defer(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    return await ready(child, program.pathname);
  };
  const [{ url = '' }] = await Promise.all([
    start(new URL('../../src/api/server.ts', import.meta.url), []),
    start(new URL('../../workers/main.ts', import.meta.url), ['analytics']),
  ]);
  const running = stack.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function ready(child: ChildProcess, name: string): Promise<{ readonly url?: string }> {
  return await new Promise((resolve, reject) => {
    child.on('message', (message: { readonly ready?: { readonly url?: string } }) => {
      if (message.ready) resolve(message.ready);
    });
    child.once('exit', (code, signal) => reject(new Error(`${name} ended (${signal ?? code})`)));
  });
}
