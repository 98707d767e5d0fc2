import { type AnyJob, type ServeOptions, serve, type WorkerLog } from '@proofline/worker';
import { until } from '#test/helpers/processes.ts';
import type { ProtocolServer } from './protocol-server.ts';

export interface Serving extends AsyncDisposable {
  /** Lines of its log: level, message, and what came with it. */
  readonly lines: readonly string[];
  /** Resolves once it is registered. @throws what it ended with before */
  readonly registered: () => Promise<void>;
  /** Settles when the worker has ended. */
  readonly ended: Promise<void>;
  /** Ends it, gracefully. */
  readonly stop: () => void;
}

/** A worker of these jobs at a server, in this process; it stops at the end. */
export function serving(
  server: Pick<ProtocolServer, 'url'>,
  jobs: readonly AnyJob[],
  options: ServeOptions = {},
): Serving {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string, data: object = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(data)}`);
  const log: WorkerLog = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const controller = new AbortController();
  const usual = { url: server.url, key: 'sk-1', signal: controller.signal, stopOn: [], log, drain: 50 };
  const ended = serve(jobs, { ...usual, ...options });
  // looked at by the test, or at the end
  ended.catch(() => {});
  return {
    lines,
    registered: async () =>
      await Promise.race([ended, until(() => lines.some((line) => line.startsWith('info registered ')))]),
    ended,
    stop: () => controller.abort(),
    [Symbol.asyncDispose]: async () => {
      controller.abort();
      await ended.catch(() => {});
    },
  };
}
