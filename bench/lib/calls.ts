import { fork } from 'node:child_process';

interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}
type Answer = { readonly id: number; readonly value?: unknown; readonly error?: string };

/** A process of the benchmark that answers calls. Killed when disposed. */
export interface Helper extends AsyncDisposable {
  readonly pid: number;
  readonly call: <T>(name: string, argument?: unknown) => Promise<T>;
  /** Listens to messages that the process sends of itself. */
  readonly onEvent: (hear: (message: unknown) => void) => void;
}

export async function startHelper(
  file: URL,
  env: Readonly<Record<string, string>>,
  argv: readonly string[] = [],
): Promise<Helper> {
  const child = fork(file, argv, {
    env: { ...process.env, ...env },
    // memory is compared after a collection; our packages are read as they lie here
    execArgv: ['--expose-gc', '--conditions=@proofline/source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const heard = new Set<(message: unknown) => void>();
  const ready = Promise.withResolvers<void>();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.once('exit', (code, signal) => {
    const error = new Error(`${file.pathname.split('/').at(-1)} ended (${signal ?? code})`);
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
  });
  child.on('message', (message: Answer | 'ready' | { event: unknown }) => {
    if (message === 'ready') return ready.resolve();
    if ('event' in message) return heard.forEach((hear) => hear(message.event));
    const { id, value, error } = message;
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  await ready.promise;
  let calls = 0;
  return {
    pid: child.pid ?? 0,
    call: <T>(name: string, argument: unknown = null) => {
      const id = ++calls;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      child.send({ id, name, argument });
      return answer.promise as Promise<T>;
    },
    onEvent: (hear) => void heard.add(hear),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

type Answers = Readonly<Record<string, (argument: never) => unknown>>;

/**
 * The other side: answers calls with these functions, and says that it is ready. Ends with the process that started it.
 */
export function answerCalls(answers: Answers): void {
  const all: Answers = { cpu: processorMs, memory, ...answers };
  process.once('disconnect', () => process.exit(0));
  process.on('message', (message) => {
    const { id, name, argument } = message as Call;
    void (async () => {
      const run = all[name] as ((argument: unknown) => unknown) | undefined;
      if (!run) throw new Error(`expected one of ${Object.keys(all).join(', ')}, got ${name}`);
      return await run(argument);
    })().then(
      (value) => process.send?.({ id, value }),
      (error: unknown) =>
        process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.send?.('ready');
}

export function notify(message: unknown): void {
  process.send?.({ event: message });
}

/** Processor time of this process so far. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export interface Memory {
  readonly rssMb: number;
  readonly heapMb: number;
}

/** After a full collection, twice: the first one only finds some of what died. */
function memory(): Memory {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 };
}
