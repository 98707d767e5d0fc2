import { spawn } from 'node:child_process';

/** A worker program that runs. */
export interface Program {
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** True once it has ended. */
  readonly isOver: () => boolean;
  /** End of what it has printed, both streams together. */
  readonly output: () => string;
}

const mostOutput = 4_000;

/** Starts a worker program with the address and the key of a server in its environment. */
export function startProgram(command: readonly string[], env: Readonly<Record<string, string>>, cwd?: string): Program {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  let output = '';
  let isOver = false;
  const add = (text: unknown) => {
    output = `${output}${String(text)}`.slice(-mostOutput);
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      add(error.message);
      isOver = true;
      resolve(null);
    });
    child.once('close', (code) => {
      isOver = true;
      resolve(code);
    });
  });
  return { signal: (name) => void child.kill(name), ended, isOver: () => isOver, output: () => output };
}
