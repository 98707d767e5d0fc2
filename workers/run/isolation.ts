import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueContract } from '#queues/define.ts';
import type { Delivery } from '#src/jobs/broker/broker-names.ts';
import { isBackground } from '#src/jobs/broker/broker-rank.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import type { IsolatedProgram } from './isolated-process.ts';
import { openSuspectProcess, type SuspectProcess } from './suspect-process.ts';

const IDLE_MS = 30_000;
/** For what a drain stopped to be settled. */
const STOP_MS = 1_000;
/**
 * Suspects of one queue in hand, for each process: of those in hand the first in rank runs next, whatever its queue.
 */
const HANDS = 4;

export interface Isolation {
  /** Suspects of one queue that should be in hand at once. */
  readonly room: number;
  /**
   * Runs one suspect in a process of its own, when one is free and no other suspect in hand has a lower rank. Resolves
   * when it was settled or its process ended. Never throws.
   */
  readonly run: (queue: QueueContract, delivery: Delivery, rank?: number) => Promise<void>;
  /** Starts the first process: suspects are about to come. */
  readonly warm: () => Promise<void>;
  /** Takes no more, lets those that run finish until `deadlineMs` from now, and ends their processes. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

interface Waiting {
  readonly queue: QueueContract;
  readonly delivery: Delivery;
  readonly rank: number;
  readonly done: () => void;
}

/**
 * A few processes for suspects, each of which runs one at a time, so that the end of a process counts against one job
 * alone. Suspects that a caller waits for run first; where there is more than one process, one is always left to them.
 */
export function openIsolation(
  context: Context,
  fleet: string,
  module: IsolatedProgram,
  { idleMs = IDLE_MS, processes = context.config.SUSPECT_PROCESSES } = {},
): Isolation {
  const closing = new AbortController();
  const options = { fleet, module, idleMs, closing: closing.signal };
  const all = Array.from({ length: processes }, () => openSuspectProcess(context, options));
  // the one that ran last is taken first: its process runs already
  const free = [...all];
  const waiting: Waiting[] = [];
  const running = new Set<Promise<void>>();
  const mostBackground = Math.max(1, processes - 1);
  let background = 0;

  const runOn = async (place: SuspectProcess, { queue, delivery, rank, done }: Waiting) => {
    const behind = Number(isBackground(rank));
    background += behind;
    await place
      .run(queue, delivery)
      .catch(
        async (error: unknown) =>
          await logFailure(context, error, { job: delivery.id }, 'a suspect could not be run', 'error'),
      );
    background -= behind;
    free.push(place);
    done();
    runNext();
  };

  const runNext = () => {
    for (;;) {
      const first = waiting[0];
      if (!first || (isBackground(first.rank) && background >= mostBackground)) return;
      const place = free.pop();
      if (!place) return;
      waiting.shift();
      const run: Promise<void> = runOn(place, first).finally(() => running.delete(run));
      running.add(run);
    }
  };

  return {
    room: HANDS * processes,
    run: async (queue, delivery, rank = 0) => {
      if (closing.signal.aborted) return;
      await new Promise<void>((done) => {
        const at = waiting.findIndex((other) => other.rank > rank);
        waiting.splice(at < 0 ? waiting.length : at, 0, { queue, delivery, rank, done });
        runNext();
      });
    },
    warm: async () => await free.at(-1)?.warm(),
    close: async (deadlineMs) => {
      closing.abort();
      // the audit delivers them again, elsewhere
      for (const { done } of waiting.splice(0)) done();
      const over = async () => void (await Promise.all(running));
      await Promise.race([over(), sleep(deadlineMs, undefined, { ref: false })]);
      await Promise.all(all.map(async (place) => await place.close()));
      await Promise.race([over(), sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
