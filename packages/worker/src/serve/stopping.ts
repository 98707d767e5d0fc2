import { type Duration, milliseconds } from '@proofline/client';

export interface StopOptions {
  /** Ends the worker, gracefully. */
  readonly signal?: AbortSignal | undefined;
  /** Signals of the operating system that end it; SIGTERM and SIGINT by default. */
  readonly stopOn?: readonly string[] | undefined;
  /** Time for what runs to end by itself; half a minute by default. */
  readonly drain?: Duration | undefined;
}

/** The end of a worker, in two steps. */
export interface Stopping {
  /** Aborted when no more jobs are to be taken. */
  readonly begun: AbortSignal;
  /** Aborted when what still runs is to be stopped. */
  readonly due: AbortSignal;
  /** Listens no longer. */
  readonly release: () => void;
}

/** A terminal sends a signal to a whole group, and a launcher sends it on: a second one within this time is the same. */
const echoMs = 500;

/** Waits for the end of a worker; a second signal makes it due at once. */
export function watchStop({ signal, stopOn = ['SIGTERM', 'SIGINT'], drain = '30s' }: StopOptions): Stopping {
  const drainMs = milliseconds(drain);
  const begun = new AbortController();
  const due = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  const begin = () => {
    if (begun.signal.aborted) return;
    begunAt = performance.now();
    begun.abort();
    timer = setTimeout(() => due.abort(), drainMs);
  };
  const hear = () => {
    if (begun.signal.aborted && performance.now() - begunAt > echoMs) due.abort();
    begin();
  };
  for (const name of stopOn) process.on(name, hear);
  signal?.addEventListener('abort', begin);
  if (signal?.aborted === true) begin();
  return {
    begun: begun.signal,
    due: due.signal,
    release: () => {
      clearTimeout(timer);
      for (const name of stopOn) process.off(name, hear);
      signal?.removeEventListener('abort', begin);
    },
  };
}
