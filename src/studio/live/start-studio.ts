import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { publishJobs } from './publish-jobs.ts';
import { reconcileApprovals } from './reconcile.ts';
import { cancelOrphans, sealEnded } from './seal-ended.ts';

const TELL_MS = 200;
const LOOK_MS = 1_000;

/**
 * Starts the periodic duties of the studio, in one process at a time: publishes the events of jobs to their owners, and
 * ends jobs and approvals that wait for nothing.
 */
export function startStudio(context: Context): AsyncDisposable {
  return leadByLock(context, 'studio', async (signal) => {
    let looked = Number.NEGATIVE_INFINITY;
    let sealing: Promise<void> | null = null;
    // beside the rest: the signer may be slow or away, and owners do not wait for it to get the events of their jobs
    const seal = async () => {
      await sealEnded(context).catch(
        async (error: unknown) =>
          await logFailure(context, error, {}, 'executions that ended could not be sealed; it comes again'),
      );
      sealing = null;
    };
    try {
      while (!signal.aborted) {
        if (performance.now() - looked >= LOOK_MS) {
          await reconcileApprovals(context);
          await cancelOrphans(context);
          sealing ??= seal();
          looked = performance.now();
        }
        const more = await publishJobs(context);
        if (!more) await sleep(TELL_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      await sealing;
    }
  });
}
