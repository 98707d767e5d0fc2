import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueContract } from '#queues/define.ts';
import type { Delivery } from '#src/jobs/broker/broker-names.ts';
import { recordSoloCrash } from '#src/jobs/run/record-solo-crash.ts';
import type { Context } from '#src/system/context.ts';
import { whyUnready } from '#src/system/health/readiness.ts';
import { type IsolatedProcess, type IsolatedProgram, startIsolated } from './isolated-process.ts';

const FIRST_BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 30_000;
/** To settle what a drain stopped; after that the process is ended by force. */
const STOP_MS = 1_000;

/** A place in which one suspect runs at a time, in a process that is started when there is one. */
export interface SuspectProcess {
  /** Runs one suspect; resolves when it was settled or its process ended. The caller waits for that before the next. */
  readonly run: (queue: QueueContract, delivery: Delivery) => Promise<void>;
  /** Starts the process before there is a suspect: a start takes seconds on a busy machine. Never throws. */
  readonly warm: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface SuspectProcessOptions {
  readonly fleet: string;
  readonly module: IsolatedProgram;
  /** Time without a suspect after which the process is ended, ms. */
  readonly idleMs: number;
  /** Aborted when nothing more is to be started. */
  readonly closing: AbortSignal;
}

/**
 * Runs suspects one after the other in a process of its own. Only its exit, seen by its parent and not requested by it,
 * counts against the job it ran: a machine that goes down, a drain or a lost lease count for nothing. A process that
 * has not answered long after the job's timeout is blocked, and ended: that counts.
 */
export function openSuspectProcess(
  context: Context,
  { fleet, module, idleMs, closing }: SuspectProcessOptions,
): SuspectProcess {
  let isolated: IsolatedProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let failures = 0;
  let isBusy = false;
  let opening: Promise<IsolatedProcess | undefined> | undefined;

  const openNow = async (): Promise<IsolatedProcess | undefined> => {
    if (isolated?.isAlive()) return isolated;
    // one that cannot start would otherwise be started again at every delivery
    if (failures > 0) {
      const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MOST_BACKOFF_MS);
      await sleep(backoffMs, undefined, { signal: closing }).catch(() => {});
    }
    if (closing.aborted) return undefined;
    // an isolated process would end at once, and be counted as one that cannot start: suspects would wait long after the outage
    const unready = await whyUnready(context);
    if (unready !== null) {
      context.log.warn({ why: unready }, 'no process for suspects is started; the audit will deliver them again');
      return undefined;
    }
    const started = await startIsolated(context, fleet, module);
    // closed meanwhile: nothing is handed over any more
    if (closing.aborted) {
      await started.end(STOP_MS);
      return undefined;
    }
    isolated = started;
    return isolated;
  };

  const open = async (): Promise<IsolatedProcess | undefined> => {
    opening ??= openNow()
      .catch((error: unknown) => {
        failures++;
        context.log.error({ err: error, failures }, 'the process for suspects did not start');
        return undefined;
      })
      .finally(() => {
        opening = undefined;
      });
    return await opening;
  };

  const endIdle = () => {
    // forgotten first: the next suspect must not be given to an isolated process that is about to end
    const old = isolated;
    isolated = undefined;
    void old?.end(context.config.LEASE_MS);
  };

  return {
    run: async (queue, delivery) => {
      clearTimeout(idle);
      isBusy = true;
      const own = await open();
      if (!own) {
        isBusy = false;
        return;
      }
      const limitMs = queue.timeoutMs + context.config.LEASE_MS;
      const death = await own.run({ queue: queue.name, version: queue.version, ...delivery }, limitMs);
      isBusy = false;
      failures = death?.attempt === null && !death.isRequested ? failures + 1 : 0;
      if (death && death.attempt !== null && !death.isRequested)
        await recordSoloCrash(context, delivery.id, death.attempt, death.how);
      idle = setTimeout(endIdle, idleMs).unref();
    },
    warm: async () => {
      await open();
      if (isBusy) return;
      clearTimeout(idle);
      idle = setTimeout(endIdle, idleMs).unref();
    },
    close: async () => {
      clearTimeout(idle);
      await isolated?.end(STOP_MS);
    },
  };
}
