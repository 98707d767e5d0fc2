import { join } from 'node:path';
import { vi } from 'vitest';
import { proofline } from '#src/commands/program.ts';
import { report } from '#src/commands/terminal/failure.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { type Submission, submit } from '#src/jobs/submit/submit.ts';
import { runCommand, type Script } from '#test/helpers/processes.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { startFleet } from '#workers/run/fleet.ts';

const program = join(import.meta.dirname, '../../src/cli.ts');

export interface Ended {
  readonly exit: number;
  /** What it printed, on stdout and stderr alike. */
  readonly output: string;
}

export interface CommandSystem extends AsyncDisposable {
  readonly api: TestApi;
  readonly url: string;
  /** What names the system, and an operator's key, to commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a command on this system. */
  readonly start: (...args: string[]) => Script;
  /** Runs a command on this system in this process, with other settings where they are given. */
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  /** A trial job. */
  readonly ask: (payload: Submission<typeof trial>['payload'], owner?: string) => Promise<string>;
}

/** An API with a fleet of trial jobs, and commands that ask it by its address. */
export async function commandSystem(settings: Readonly<Record<string, string>> = {}): Promise<CommandSystem> {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await testApi({ DRAIN_DEADLINE_MS: '300', ...settings }));
  // commands that wait hear of ends by it, and would else look for them every fifteen seconds
  startRelay(api.context);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const module = new URL('../helpers/trial.ts', import.meta.url);
  const fleet = await startFleet(api.context, { name: 'trial', handlers, module, concurrency: 5 });
  stack.defer(async () => await fleet.drain());
  const { secret } = await api.key({ owner: 'op', operator: true });
  const env = { PROOFLINE_URL: url, PROOFLINE_KEY: secret };
  const all = stack.move();
  return {
    api,
    url,
    env,
    start: (...args) => runCommand(process.execPath, [program, ...args], env),
    run: async (args, more = {}) => await runHere(args, { ...env, ...more }),
    ask: async (payload, owner = 'owner-1') =>
      (await submit(api.context, trial, { principal: { owner }, payload })).job.id,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  };
}

/** A call, so that TypeScript does not believe that it is still unset. */
const exitCode = (): number => Number(process.exitCode ?? 0);

/** Runs a command in this process: a process of its own takes a second. One at a time. */
export async function runHere(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  let output = '';
  const take = (text: unknown) => {
    output += String(text);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(take));
  // a command that joins a running system notes in the environment what it found there
  const environment = { ...process.env };
  Object.assign(process.env, env);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const heard = signals.map((signal) => process.listeners(signal));
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await (await proofline(args[0])).parseAsync(args, { from: 'user' });
    return { exit: exitCode(), output };
  } catch (error) {
    const exit = report(error);
    return { exit, output };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
    Object.assign(process.env, environment);
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!heard[index]?.includes(listener)) process.removeListener(signal, listener);
  }
}
