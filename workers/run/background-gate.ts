import { setTimeout as sleep } from 'node:timers/promises';
import { readWaitingUserJobs, type WaitingUserJobs } from '#src/jobs/read/waiting-user-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';

const LOOK_MS = 100;
/** Longest wait of one job: callers whose jobs never start must not end what the system does by itself. */
const MOST_WAIT_MS = 60_000;

/** Holds back jobs that the system submitted by itself while jobs of callers wait in the queues of this process. */
export interface BackgroundGate {
  /**
   * Resolves once no job of a caller waits that came before this call, or that had to be recovered meanwhile; at the
   * latest after a minute. False where the gate was closed: the job must not be claimed then. Never throws.
   */
  readonly pass: () => Promise<boolean>;
  /** Lets go of everything that waits. */
  readonly close: () => void;
}

interface Held {
  readonly from: number;
  /** By the database's clock: jobs of callers that came later do not hold it back. Null until that is known. */
  since: Date | null;
  readonly open: (isOpen: boolean) => void;
}

export function openBackgroundGate(context: Context, queues: readonly string[]): BackgroundGate {
  const waiting = new Set<Held>();
  const closing = new AbortController();
  let isLooking = false;

  const releaseHeld = (held: Held, isOpen: boolean) => {
    waiting.delete(held);
    held.open(isOpen);
  };

  /** One look for all that wait: a tick of each symbol may stand here. */
  const look = async () => {
    isLooking = true;
    while (waiting.size > 0) {
      // what comes during the look is for the next one
      const held = [...waiting];
      const found = await readWaitingUserJobs(context, queues).catch(async (error: unknown) => {
        await logFailure(context, error, {}, 'the jobs that callers wait for were not read; nothing waits for them');
        return null;
      });
      for (const one of held) if (passes(one, found)) releaseHeld(one, !closing.signal.aborted);
      if (waiting.size > 0) await sleep(LOOK_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
    isLooking = false;
  };

  return {
    pass: async () => {
      if (closing.signal.aborted) return false;
      return await new Promise<boolean>((open) => {
        waiting.add({ from: performance.now(), since: null, open });
        if (!isLooking) void look();
      });
    },
    close: () => {
      closing.abort();
      for (const held of waiting) releaseHeld(held, false);
    },
  };
}

/** Checks whether a job may pass; remembers when it was seen first. */
function passes(held: Held, found: WaitingUserJobs | null): boolean {
  if (found === null || performance.now() - held.from > MOST_WAIT_MS) return true;
  if (found.isRecovering) {
    // they come into their queues anew, and still go before it
    held.since = null;
    return false;
  }
  held.since ??= found.now;
  return found.oldest === null || found.oldest > held.since;
}
