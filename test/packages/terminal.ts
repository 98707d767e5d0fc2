import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Script } from '#test/helpers/processes.ts';

/** A block that stays up in a terminal of its own: what it prints, and its end with all that it has started. */
export interface Terminal extends Pick<Script, 'child' | 'output'>, AsyncDisposable {
  /** Waits until what it printed fits. @throws with what it printed when it ends before. */
  readonly printed: (pattern: RegExp) => Promise<void>;
  /** Sends a signal to everything that runs in it, as Ctrl-C does, and waits for the end. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** Runs a block as it stands. */
export function openTerminal(block: string, env: NodeJS.ProcessEnv, cwd: string): Terminal {
  const child = spawn('bash', ['-c', block], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const heard = new EventTarget();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      heard.dispatchEvent(new Event('data'));
    });
  let isOver = false;
  const ended = once(child, 'close').then(() => {
    isOver = true;
    heard.dispatchEvent(new Event('data'));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (!isOver && child.pid !== undefined) process.kill(-child.pid, signal);
    await ended;
  };
  return {
    child,
    output: () => text,
    printed: async (pattern) => {
      while (!pattern.test(text)) {
        if (isOver) throw new Error(`expected ${block} to print ${pattern}, got:\n${text}`);
        await once(heard, 'data');
      }
    },
    end,
    [Symbol.asyncDispose]: async () => await end('SIGKILL'),
  };
}
