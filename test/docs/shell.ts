import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Script } from '#test/helpers/processes.ts';

/** What a block came to. */
export interface Ran {
  /** Everything it printed, errors too. */
  readonly output: string;
  /** Statuses other than 0 of the commands that were typed, in order. */
  readonly failed: readonly number[];
}

export interface Shell extends AsyncDisposable {
  /** Types a block as it stands, all lines at once, and waits until it has run. */
  readonly paste: (text: string) => Promise<Ran>;
}

/** Waits until a system that is starting is ready, however busy the machine is. @throws with what it printed when it ends. */
export async function untilReady({ child, output }: Pick<Script, 'child' | 'output'>): Promise<void> {
  while (!/ready in /.test(output())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the start has ended:\n${output()}`);
    await sleep(50);
  }
}

/** What the longest block takes on a busy machine, a film in it. */
const LIMIT_MS = 600_000;

/** Told by a shell before each prompt: what the last command ended with. */
const reports = {
  bash: `PROMPT_COMMAND='status=$?; [ $status = 0 ] || echo "@@failed $status"'; PS1=''; PS2=''`,
  // an unpacked zsh looks for its modules where the package would be, and believes no environment
  zsh: `[ -z "$ZSH_MODULES" ] || module_path=($ZSH_MODULES); precmd() { local ended=$?; [ $ended = 0 ] || echo "@@failed $ended" }; PS1=''; PS2=''; PROMPT_EOL_MARK=''; unsetopt prompt_sp`,
} as const;

/**
 * A shell as a person has it: interactive, so that in zsh \`#\` begins no comment, and in both \`!\` names the history. It reads
 * lines from a pipe, so what reads its own input takes the lines behind it, as in a terminal.
 */
export async function openShell(
  kind: keyof typeof reports,
  { path, env, cwd }: { readonly path: string; readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<Shell> {
  const args = kind === 'bash' ? ['--noprofile', '--norc', '--noediting', '-i'] : ['-f', '-i'];
  // both outputs in one pipe: prompts and errors come on the second, and must not overtake what was printed before
  const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', path, ...args], { cwd, env, stdio: 'pipe', detached: true });
  let text = '';
  const heard = new EventTarget();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    heard.dispatchEvent(new Event('data'));
  });
  const ended = once(child, 'close');
  void ended.then(() => heard.dispatchEvent(new Event('data')));

  /** Types lines, and gives what was printed until they had run. */
  const type = async (lines: string) => {
    const mark = `@@done-${randomUUID()}`;
    const from = text.length;
    // the mark is put together by the shell: a line that is read by something else is never taken for it
    child.stdin.write(`${lines}\necho "@@""${mark.slice(2)}"\n`);
    const limit = AbortSignal.timeout(LIMIT_MS);
    while (!text.includes(`${mark}\n`, from)) {
      if (child.exitCode !== null) throw new Error(`the shell ended in:\n${lines}\n${text.slice(from)}`);
      await once(heard, 'data', { signal: limit }).catch(() => {
        throw new Error(`the shell hangs in:\n${lines}\n${text.slice(from)}`);
      });
    }
    return text.slice(from, text.indexOf(mark, from));
  };

  const shell: Shell = {
    paste: async (block) => {
      const output = await type(block);
      const failed = [...output.matchAll(/^@@failed (\d+)$/gm)].map(([, status]) => Number(status));
      return {
        output: output.replaceAll(/^@@failed \d+\n/gm, ''),
        failed,
      };
    },
    [Symbol.asyncDispose]: async () => {
      // with all that it has started
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
  // whatever it greets and prompts with until it has read how to report is no output of a block
  try {
    await type(reports[kind]);
  } catch (error) {
    await shell[Symbol.asyncDispose]();
    throw error;
  }
  return shell;
}
