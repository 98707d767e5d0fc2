import type { Fence } from '#src/jobs/steps/fence.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/** A process that suspends the jobs of its argument and signals each at the same time, to be killed at it. */
const fences = JSON.parse(process.argv[2] ?? '[]') as readonly Fence[];
const context = await openContext(loadConfig(), 'test');
let done = 0;
process.once('message', () => {
  for (const fence of fences)
    void Promise.allSettled([
      suspend(context, fence, { on: { kind: 'signal', name: 'go' }, after: 0 }),
      signalJob(context, fence.job, { name: 'go', payload: null }),
    ]).then(() => process.send?.(++done));
  process.send?.(0);
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
