import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { AppError } from '#src/lib/errors.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import type { Context } from '#src/system/context.ts';

/**
 * A receipt says how an execution ended, for good: one that was sealed as failed is not taken up again.
 *
 * @throws AppError `state_conflict`
 */
export async function assertOpen(context: Context, id: string): Promise<void> {
  const receipt = await readReceipt(context, id);
  if (!receipt || receipt.statement.predicate.outcome === 'succeeded') return;
  throw new AppError(
    'state_conflict',
    `The receipt of this execution says that it ${receipt.statement.predicate.outcome}: plan and approve it again.`,
    { receipt: id },
  );
}

/** Checks whether a worker only stops, and leaves the job and its children to the next one. */
export function isHandedOn(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof StopReason && signal.reason.why !== 'cancelled';
}

/** Cancels jobs that are not needed any more; those that have ended stay as they are. */
export async function cancelAll(context: Context, ids: readonly string[], reason: string): Promise<void> {
  for (const id of ids) await cancelJob(context, id, systemOwner, reason).catch(unlessEnded);
}
