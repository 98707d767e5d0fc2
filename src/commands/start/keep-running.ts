import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import { lastErrorLine } from './last-error-line.ts';
import { MOST_DEATHS, restartPause } from './restart-pause.ts';

/** A process of a system on this machine: ours, or a private server. */
export interface Part {
  /** Fulfilled when it has ended, with how: `signal SIGKILL`, `exit code 1`. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface KeepOptions<P extends Part> {
  /** As a sentence goes on after "the": `worker process`. */
  readonly name: string;
  /** File that takes what it prints. */
  readonly log: string;
  /** Starts it again; ends early when the signal is aborted. @throws when it does not start. */
  readonly start: (signal: AbortSignal) => Promise<P>;
  readonly say: (line: string) => void;
  readonly onRestart?: (part: P) => void;
  readonly pause?: typeof restartPause;
}

export interface Supervised<P extends Part> {
  readonly current: () => P;
  /** From now on starts it again whenever it ends. Rejected with one sentence when it cannot stay up; pending else. */
  readonly keep: () => Promise<never>;
  /** Ends it, also while it waits to be started again. */
  readonly stop: () => Promise<void>;
}

/** Keeps a part of the system running: what ends is said and started again, with growing pauses. */
export function keepRunning<P extends Part>(first: P, options: KeepOptions<P>): Supervised<P> {
  const { name, log, start, say, onRestart = () => {}, pause = restartPause } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let part = first;
  let keeping: Promise<void> = Promise.resolve();

  const startAgain = async (deaths: number[], how: string): Promise<void> => {
    deaths.push(performance.now());
    const pauseMs = pause(deaths);
    if (pauseMs === null) throw cannotStayUp(name, how, log);
    say(`the ${name} ended (${how}); starting it again in ${pauseMs / 1_000} s`);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      part = await start(signal);
    } catch (error) {
      return await startAgain(deaths, error instanceof Error ? error.message : String(error));
    }
    onRestart(part);
  };

  const keep = async () => {
    const deaths: number[] = [];
    while (!signal.aborted) {
      const how = await Promise.race([part.ended, aborted(signal)]);
      if (how !== undefined && !signal.aborted) await startAgain(deaths, how);
    }
  };

  return {
    current: () => part,
    keep: async () => {
      keeping = keep();
      await keeping;
      return await new Promise<never>(() => {});
    },
    stop: async () => {
      stopping.abort();
      await keeping.catch(() => {});
      await part.stop();
    },
  };
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

function cannotStayUp(name: string, how: string, log: string): AppError {
  const line = lastErrorLine(log);
  const said = line === undefined ? '' : ` Its last error: ${line}`;
  return new AppError(
    'unavailable',
    `The ${name} ended ${MOST_DEATHS} times within two minutes (last: ${how}) and is not started again.${said}\nMore is in ${log}.`,
    { log },
  );
}
