import type { Log } from '#src/system/logging/log.ts';

/** Time that an orderly end may take beyond the deadline of a drain, with every server away. */
export const HARD_MS = 3_500;

export interface OrderlyEnd {
  /** Fulfilled once this process has to end, by a signal or because the process that started it is gone. */
  readonly requested: Promise<void>;
  /** Aborted in the same moment. */
  readonly signal: AbortSignal;
  /** Names what is being done, for the line that is written if it hangs. */
  readonly stage: (name: string) => void;
}

/**
 * Listens for SIGTERM, SIGINT and the end of the parent. Whatever hangs then, at the start or the end of this process:
 * after `deadlineMs` and {@link HARD_MS} it ends with exit code 1 and a line that says what hung.
 */
export function endInTime(deadlineMs: number, log: () => Log): OrderlyEnd {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  let stage = 'the start';
  const asking = new AbortController();
  const limitMs = deadlineMs + HARD_MS;
  const ask = () => {
    resolve();
    if (asking.signal.aborted) return;
    asking.abort();
    setTimeout(() => {
      log().fatal(`${stage} did not end within ${limitMs} ms after the stop`);
      process.exit(1);
    }, limitMs).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, ask);
  process.once('disconnect', ask);
  return {
    requested,
    signal: asking.signal,
    stage: (name) => {
      stage = name;
    },
  };
}
