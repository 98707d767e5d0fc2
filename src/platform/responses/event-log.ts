import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { ResponseObject } from '#src/platform/responses/model/response-object.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { isConnectionLost } from '#src/system/postgres/postgres-errors.ts';
import { appendEvents, responseChannel } from './event-store.ts';

/** Most events waiting to be written; beyond that the producer waits. */
const MOST_WAITING = 1_000;
const REPEAT_MS = 200;

/**
 * Log to which a worker writes the events of a response: events that arrive while a batch is being written go into the
 * next.
 */
export interface EventLog {
  /** Resolves when more may come. @throws what writing failed with, once. */
  readonly add: (events: readonly ResponseEvent[]) => Promise<void> | undefined;
  /** Resolves when all is written. With an end, nothing may come after it. */
  readonly close: (events: readonly ResponseEvent[], ended: ResponseObject | null) => Promise<void>;
}

/** @param signal aborted when the attempt may not write any more; its reason is thrown */
export function openEventLog(
  context: Context,
  job: { readonly id: string; readonly attempt: number },
  signal: AbortSignal,
): EventLog {
  let waiting: ResponseEvent[] = [];
  let writing: Promise<void> | null = null;
  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await append(context, job, batch, null, signal).catch((error: unknown) => {
        // no later one may be written before it
        waiting = [...batch, ...waiting];
        throw error;
      });
    }
  };
  const write = () => {
    writing ??= drain().finally(() => (writing = null));
    // only a caller that waits for it needs its failure
    writing.catch(() => {});
    return writing;
  };
  return {
    add: (events) => {
      if (events.length === 0) return undefined;
      waiting.push(...events);
      const written = write();
      return waiting.length > MOST_WAITING ? written : undefined;
    },
    close: async (events, ended) => {
      await writing;
      await append(context, job, [...waiting, ...events], ended, signal);
    },
  };
}

async function append(
  context: Context,
  job: { readonly id: string; readonly attempt: number },
  events: readonly ResponseEvent[],
  ended: ResponseObject | null,
  signal: AbortSignal,
): Promise<void> {
  if (events.length === 0) return;
  for (;;) {
    signal.throwIfAborted();
    try {
      const held = await appendEvents(context, job, events, ended);
      if (!held) throw new AppError('stale_claim', 'Another attempt holds this job, or it has ended.', { job: job.id });
      break;
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      void logFailure(context, error, { job: job.id }, 'events of a response could not be written yet; repeating it');
      await sleep(REPEAT_MS);
    }
  }
  // a lost message is made good by the subscriber's next read
  await context.redis
    .publish(responseChannel(context.config, job.id), '')
    .catch((error: unknown) => context.log.debug({ err: error, job: job.id }, 'a wake-up was lost'));
}
