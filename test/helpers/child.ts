import { type ChildProcess, fork } from 'node:child_process';

export interface Child extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** A program of ours in a process of its own, once it has said that it is ready. Killed when disposed. */
export async function startChild(
  file: URL,
  env: Readonly<Record<string, string>>,
  argv: readonly string[] = [],
): Promise<Child> {
  const child = fork(file, argv, {
    env: { ...process.env, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`${file.pathname} ended (${code}) before it was ready`)));
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    exited,
    kill: (signal) => child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
