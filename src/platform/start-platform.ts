import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { closeBatches } from './batches/close-batches.ts';
import { forgetFiles } from './files/file-retention.ts';

const EVERY_MS = 5_000;

/** Starts the periodic duties of the platform, in one process at a time. */
export function startPlatform(context: Context): AsyncDisposable {
  return leadByLock(context, 'platform', async (signal) => {
    while (!signal.aborted) {
      await closeBatches(context, signal).catch(async (error: unknown) => {
        await logFailure(context, error, {}, 'batches whose jobs have ended could not be closed; it comes again');
      });
      await forgetFiles(context, signal).catch(async (error: unknown) => {
        await logFailure(context, error, {}, 'files that are past their time could not be forgotten; it comes again');
      });
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  });
}
