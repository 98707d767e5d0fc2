import type { act } from '#queues/jobs.ts';
import { type ActionRow, outcomeOf, sum } from '#src/jobs/actions/action-row.ts';
import { runAction } from '#src/jobs/actions/run-action.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { clearSuspicion } from '#src/jobs/run/clear-suspect.ts';
import type { Processor } from '#workers/run/processor.ts';

/** Acts on the jobs of a preview, and answers what became of them. Another attempt goes on where this one was. */
export const actProcessor: Processor<typeof act> = async ({ context, job, attempt, payload, signal, emit }) => {
  // it runs no code of others, and may take hours: no suspect should wait for it
  if (await clearSuspicion(context, job)) throw new StopReason('drain');
  const report = ({ position, jobs, skipped, failed }: ActionRow) =>
    emit({ stage: payload.action, done: position, of: jobs, skipped: sum(skipped), failed: sum(failed) });
  const { rate, actionId } = payload;
  return outcomeOf(await runAction(context, actionId, { id: job.id, attempt }, { rate, signal, report }));
};
