import { join } from 'node:path';
import type { Config } from '#src/system/config/config-type.ts';
import { reachableHost } from '#src/system/config/loopback.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { type Child, childReady, startChild } from './children.ts';
import { keepRunning, type Part, type Supervised } from './keep-running.ts';

export interface OwnProcess extends Part {
  readonly child: Child;
}

/** The API and the worker of a system on this machine, at addresses that outlive their processes. */
export interface Processes {
  readonly api: Supervised<OwnProcess>;
  readonly worker: Supervised<OwnProcess>;
  /** Base addresses of their metrics and probes. */
  readonly metrics: { readonly api: string; readonly worker: string };
  /** Waits until both answer. @throws AppError `unavailable` when one ends before, or does not answer in a minute. */
  readonly ready: (signal: AbortSignal) => Promise<void>;
}

export interface ProcessesOptions {
  readonly fleets: readonly string[];
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** Called with each process that takes the place of one that ended, once it answers. */
  readonly onRestart: (name: 'api' | 'worker', child: Child) => void;
}

/** Starts the processes; the stack stops them. */
export async function startProcesses(
  config: Config,
  { fleets, home, env, say, onRestart }: ProcessesOptions,
  stack: AsyncDisposableStack,
): Promise<Processes> {
  const ports = { api: config.METRICS_PORT === 0 ? await freePort() : config.METRICS_PORT, worker: await freePort() };
  const address = (port: number) => `http://${reachableHost(config.METRICS_HOST)}:${port}`;
  const metrics = { api: address(ports.api), worker: address(ports.worker) };
  // longer than what a process gives itself before it says what hangs and ends
  const grace = config.UNREADY_MS + config.DRAIN_DEADLINE_MS + 4_500;
  const open = (name: 'api' | 'worker', args: readonly string[]): Supervised<OwnProcess> => {
    const log = join(home, 'log', `${name}.log`);
    const start = (): OwnProcess => {
      const child = startChild({ name, args, env: { ...env, METRICS_PORT: String(ports[name]) }, log });
      return { child, ended: child.ended, stop: async () => await child.stop(grace) };
    };
    return keepRunning(start(), {
      name: `${name} process`,
      log,
      say,
      start: async (signal) => {
        const own = start();
        // one that ends before it is ready, or that waits for a server, is left to its keeper
        const isReady = await childReady(own.child, `${metrics[name]}/readyz`, signal).then(
          () => true,
          () => false,
        );
        if (isReady) say(`the ${name} process runs again (process ${own.child.pid})`);
        return own;
      },
      onRestart: ({ child }) => onRestart(name, child),
    });
  };
  const worker = open('worker', ['worker', ...fleets]);
  const api = open('api', ['api']);
  stack.defer(async () => void (await Promise.all([api.stop(), worker.stop()])));
  return {
    api,
    worker,
    metrics,
    ready: async (signal) =>
      void (await Promise.all([
        childReady(api.current().child, `${metrics.api}/readyz`, signal),
        childReady(worker.current().child, `${metrics.worker}/readyz`, signal),
      ])),
  };
}
