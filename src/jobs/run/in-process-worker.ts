import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { hearCancels, holdJobs, type Running } from './hold-jobs.ts';
import type { Lease } from './lease.ts';
import { openSettlements } from './settle-jobs.ts';

/** For jobs that are stopped with their process to be settled. */
const SETTLE_MS = 1_500;

/** Lease and settlement of jobs that run inside the API process; BullMQ never delivers to it. */
export interface InProcessWorker {
  readonly context: Context;
  readonly lease: Lease;
  readonly running: Map<string, Running>;
  readonly settle: ReturnType<typeof openSettlements>;
}

const opening = perContext(() => ({ worker: undefined as Promise<InProcessWorker> | undefined }));

/**
 * The worker of this process, opened by its first user; its lease is given back when the context closes.
 *
 * @throws what the first beat fails with while Postgres is away; the next caller tries again.
 */
export async function openInProcessWorker(context: Context): Promise<InProcessWorker> {
  const kept = opening(context);
  kept.worker ??= open(context).catch((error: unknown) => {
    kept.worker = undefined;
    throw error;
  });
  return await kept.worker;
}

async function open(context: Context): Promise<InProcessWorker> {
  const running = new Map<string, Running>();
  const lease = await holdJobs(context, 'api', { suspects: false }, running);
  const control = hearCancels(context, running);
  context.onClose(async () => {
    for (const { stop } of running.values()) stop.abort(new AppError('unavailable', 'This process stops; ask again.'));
    const settled = Promise.all([...running.values()].map(({ done }) => done.promise));
    await Promise.race([settled, sleep(SETTLE_MS, undefined, { ref: false })]);
    control.disconnect();
    await lease[Symbol.asyncDispose]();
  });
  return { context, lease, running, settle: openSettlements(context) };
}
