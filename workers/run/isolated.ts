import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Context } from '#src/system/context.ts';
import type { Threads } from '#src/system/threads.ts';
import type { FromIsolated, ToIsolated } from './isolated-messages.ts';
import { forwardMetrics } from './isolated-metrics.ts';
import type { Handler } from './processor.ts';
import { runDelivery } from './run-job.ts';
import { openWorkerContext } from './worker-context.ts';

interface Opened {
  readonly context: Context;
  readonly handlers: readonly Handler[];
  /** As those of its fleet. */
  readonly threads?: Threads;
}

// without a parent there is no receiver; sending would be an error of its own
const notify = (message: FromIsolated) => void (process.connected && process.send?.(message));

/**
 * Makes this process the one in which suspects run, one at a time: its parent hands them over and watches how it ends.
 * Resolves once it is ready. It ends itself when it is asked to, or where it cannot open what it needs.
 */
export async function runIsolated(fleet: string, open: () => Promise<Opened>): Promise<void> {
  const { context, handlers, worker } = await openAll(fleet, open).catch(giveUp);
  let stopping = false;
  process.on('message', ({ queue, version, ...delivery }: ToIsolated) => {
    const fits = ({ queue: own }: Handler) => own.name === queue && own.version === version;
    // it has to stop: a job that is claimed now would die of our own end
    const work = stopping ? undefined : handlers.find(fits);
    const done = work ? runDelivery(worker, work, delivery) : Promise.resolve();
    void done.finally(() => notify({ kind: 'done', id: delivery.id }));
  });

  const stop = async () => {
    if (stopping) return;
    stopping = true;
    for (const running of worker.running.values()) running.stop.abort(new StopReason('drain'));
    await Promise.all([...worker.running.values()].map(({ done }) => done.promise));
    await worker.lease[Symbol.asyncDispose]();
    await context[Symbol.asyncDispose]();
    process.exit(0);
  };
  // also when our parent is gone: the guard it starts us with sends this
  process.on('SIGTERM', () => void stop());
  // Ctrl-C reaches the whole group; the parent drains us in its own time
  process.on('SIGINT', () => {});
  notify({ kind: 'ready' });
}

async function openAll(fleet: string, open: () => Promise<Opened>) {
  const { context, handlers, threads } = await open();
  forwardMetrics(context.metrics, notify);
  const worker = await openWorkerContext(context, `${fleet}-lane`, true, {
    threads,
    onClaim: ({ id, attempt }) => notify({ kind: 'claimed', id, attempt }),
  });
  return { context, handlers, worker };
}

/** Our parent logs why, and starts another of us when the next suspect comes. */
async function giveUp(error: unknown): Promise<never> {
  const why = error instanceof Error && error.stack ? error.stack : String(error);
  await new Promise(
    (resolve) => process.send?.({ kind: 'unready', why } satisfies FromIsolated, resolve) ?? resolve(null),
  );
  process.exit(1);
}
