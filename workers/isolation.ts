import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueContract } from '#queues/define.ts';
import type { Delivery } from '#src/jobs/broker.ts';
import { recordLoneDeath } from '#src/jobs/lone-death.ts';
import type { Context } from '#src/system/context.ts';
import { whyUnready } from '#src/system/readiness.ts';
import { type Lane, startLane } from './lane-process.ts';

const IDLE_MS = 30_000;
const FIRST_BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 30_000;
/** To settle what a drain stopped; after that the lane is ended by force. */
const STOP_MS = 1_000;

export interface Isolation {
  /** Runs one suspect in the lane: one at a time, however many queues have some. Resolves when it was settled or its process ended. Never throws. */
  readonly run: (queue: QueueContract, delivery: Delivery) => Promise<void>;
  /** Takes no more, lets the one that runs finish until `deadlineMs` from now, and ends the lane. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

/**
 * A process of its own for suspects, started when there is one and ended when there is none for a while. Only its exit,
 * seen by us and not asked for by us, counts against the job it ran: a machine that goes down, a drain or a lost lease
 * count for nothing. A lane that has not answered long after the job's timeout is blocked, and ended: that counts.
 */
export function openIsolation(context: Context, fleet: string, module: URL, idleMs = IDLE_MS): Isolation {
  const closing = new AbortController();
  let lane: Lane | undefined;
  let turn: Promise<void> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let failures = 0;

  const open = async (): Promise<Lane | undefined> => {
    if (lane?.isAlive()) return lane;
    // one that cannot start would otherwise be started again at every delivery
    if (failures > 0) {
      const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MOST_BACKOFF_MS);
      await sleep(backoffMs, undefined, { signal: closing.signal }).catch(() => {});
    }
    if (closing.signal.aborted) return undefined;
    // a lane would end at once, and be counted as one that cannot start: suspects would wait long after the outage
    const unready = await whyUnready(context);
    if (unready !== null) {
      context.log.warn({ why: unready }, 'no process for suspects is started; the audit will deliver them again');
      return undefined;
    }
    const started = await startLane(context, fleet, module);
    // asked to close meanwhile: nothing is handed over any more
    if (closing.signal.aborted) {
      await started.end(STOP_MS);
      return undefined;
    }
    lane = started;
    return lane;
  };

  const endIdle = () => {
    // forgotten first: the next suspect must not be given to a lane that is about to end
    const old = lane;
    lane = undefined;
    void old?.end(context.config.LEASE_MS);
  };

  const runOne = async (queue: QueueContract, delivery: Delivery) => {
    if (closing.signal.aborted) return;
    clearTimeout(idle);
    const own = await open().catch((error: unknown) => {
      failures++;
      context.log.error({ err: error, failures }, 'the process for suspects did not start');
      return undefined;
    });
    if (!own) return;
    const limitMs = queue.timeoutMs + context.config.LEASE_MS;
    const death = await own.run({ queue: queue.name, ...delivery }, limitMs);
    failures = death?.attempt === null && !death.asked ? failures + 1 : 0;
    if (death && death.attempt !== null && !death.asked)
      await recordLoneDeath(context, delivery.id, death.attempt, death.how);
    idle = setTimeout(endIdle, idleMs).unref();
  };

  return {
    run: async (queue, delivery) => {
      turn = turn
        .then(() => runOne(queue, delivery))
        .catch((error: unknown) => context.log.error({ err: error, job: delivery.id }, 'a suspect could not be run'));
      await turn;
    },
    close: async (deadlineMs) => {
      closing.abort();
      await Promise.race([turn, sleep(deadlineMs, undefined, { ref: false })]);
      clearTimeout(idle);
      await lane?.end(STOP_MS);
      await Promise.race([turn, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
