import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { takeOutput } from '#src/system/logging/process-output.ts';
import type { FromIsolated, ToIsolated } from './isolated-messages.ts';
import { forwardMetrics } from './isolated-metrics.ts';
import type { Handler } from './processor.ts';
import { runDelivery } from './run-job.ts';
import { openWorkerContext } from './worker-context.ts';

/** The process in which suspects run, one at a time. Its parent hands them over and watches how it ends. */
const [fleet = '', module = ''] = process.argv.slice(2);
// without a parent there is no receiver; sending would be an error of its own
const notify = (message: FromIsolated) => void (process.connected && process.send?.(message));
const { handlers, context, worker } = await open().catch(giveUp);

let stopping = false;
process.on('message', ({ queue, ...delivery }: ToIsolated) => {
  // it has to stop: a job that is claimed now would die of our own end
  const work = stopping ? undefined : handlers.find((one) => one.queue.name === queue);
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

async function open() {
  const { handlers: all } = (await import(module)) as { handlers: readonly Handler[] };
  const opened = await openContext(loadConfig(), 'lane');
  takeOutput(opened.log);
  forwardMetrics(opened.metrics, notify);
  const own = await openWorkerContext(opened, `${fleet}-lane`, true, ({ id, attempt }) =>
    notify({ kind: 'claimed', id, attempt }),
  );
  return { handlers: all, context: opened, worker: own };
}

/** Our parent logs why, and starts another of us when the next suspect comes. */
async function giveUp(error: unknown): Promise<never> {
  const why = error instanceof Error && error.stack ? error.stack : String(error);
  await new Promise(
    (resolve) => process.send?.({ kind: 'unready', why } satisfies FromIsolated, resolve) ?? resolve(null),
  );
  process.exit(1);
}
