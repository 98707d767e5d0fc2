import { payload, trivial, works } from '#bench/trivial.ts';
import { startRelay } from '#src/jobs/relay.ts';
import { submit } from '#src/jobs/submit.ts';
import { startSweep } from '#src/jobs/sweep.ts';
import { loadConfig } from '#src/system/config.ts';
import { openContext } from '#src/system/context.ts';
import { startFleet } from '#workers/fleet.ts';
import type { Peer } from './peer.ts';

/** The producer is what an API process is: it submits, relays and sweeps. */
export const peer: Peer = {
  openProducer: async () => {
    const context = await openContext(loadConfig(), 'api');
    startSweep(context, [trivial.name]);
    startRelay(context);
    const principal = { owner: 'bench' };
    return { add: () => submit(context, trivial, { principal, payload }) };
  },
  openConsumer: async (concurrency) => {
    const context = await openContext(loadConfig(), 'worker');
    await startFleet(context, {
      name: 'bench',
      works,
      module: new URL(import.meta.resolve('#bench/trivial.ts')),
      concurrency,
    });
    const finished = context.metrics.proofline_jobs_finished_total;
    return { done: async () => (await finished.get()).values.reduce((sum, { value }) => sum + value, 0) };
  },
};
