import { randomUUID } from 'node:crypto';
import { respond } from '#queues/platform.ts';
import type { PaidJob } from '#src/governance/budgets/begin-paid-job.ts';
import { openInProcessWorker } from '#src/jobs/run/in-process-worker.ts';
import type { Context } from '#src/system/context.ts';

export const provider = 'writer';

/** A job of this process whose first call is quoted at so much, under the budget `job:1`. */
export async function paidJob(context: Context, quoted: number, more: Partial<PaidJob> = {}): Promise<PaidJob> {
  const { lease } = await openInProcessWorker(context);
  return {
    id: randomUUID(),
    queue: respond.name,
    priority: respond.priority,
    payload: '{"work":null}',
    requestHash: 'ab'.repeat(32),
    idempotencyKey: null,
    trace: null,
    worker: lease.id(),
    token: randomUUID(),
    effect: provider,
    effectHash: 'cd'.repeat(32),
    call: {
      provider,
      owner: 'alice',
      keyId: null,
      surface: 'platform',
      capability: 'text.generate',
      budgets: ['job:1'],
      quoted,
    },
    ...more,
  };
}

/** The end of such a job, whose call cost so much. */
export const endOf = ({ id, token }: PaidJob, cost: number) => ({
  job: id,
  attempt: 1,
  token,
  result: '{"text":"a light"}',
  effect: provider,
  outcome: `{"billed":${cost}}`,
  provider,
  cost,
});
