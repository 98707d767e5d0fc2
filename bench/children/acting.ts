import { setTimeout as sleep } from 'node:timers/promises';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { beginAction } from '#src/jobs/actions/begin-action.ts';
import { previewAction } from '#src/jobs/actions/preview-action.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { handlers } from '#workers/handlers.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** A fleet for actions on many jobs, which begins one when it is told to. */
const context = await openContext(loadConfig(), 'worker');
await startFleet(context, {
  name: 'bench',
  handlers: handlers.filter(({ queue }) => queue.name === 'jobs.act'),
  module: new URL(import.meta.resolve('#workers/handlers.ts')),
  concurrency: 1,
});

answerCalls({
  /** Redrives every failed job of an owner; answers the ms of the preview and of the whole, and the result. */
  redrive: async ({ owner, rate }: { owner: string; rate: number }) => {
    const from = now();
    const { action } = await previewAction(context, {
      owner: 'operator',
      madeBy: 'operator',
      action: 'redrive',
      priority: null,
      selection: { states: ['failed'], owner },
    });
    const previewMs = now() - from;
    const principal = { owner: 'operator', keyId: null };
    const { id } = await beginAction(context, action, { principal, by: 'operator', rate, changedShare: 0 });
    for (;;) {
      const job = await readJob(context, id);
      if (job && isTerminal(job.state)) return { previewMs, ms: now() - from, state: job.state, result: job.result };
      await sleep(20);
    }
  },
});
