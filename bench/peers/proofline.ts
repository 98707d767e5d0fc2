import { apart, handlers, payload, trivial } from '#bench/load/trivial.ts';
import { startHistory } from '#src/jobs/history/fill-history.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { startFleet } from '#workers/run/fleet.ts';
import type { Peer } from './peer.ts';

/** The producer is what an API process is: it submits, relays, sweeps and counts the past. */
export const peer: Peer = {
  openProducer: async () => {
    const context = await openContext(loadConfig(), 'api');
    startSweep(context, [trivial.name, apart.name]);
    startRelay(context);
    startHistory(context);
    const principal = { owner: 'bench' };
    return {
      add: () => submit(context, trivial, { principal, payload }),
      addOf: (group) => submit(context, trivial, { principal, payload, group }),
    };
  },
  openConsumer: async (concurrency, name = trivial.name) => {
    const context = await openContext(loadConfig(), 'worker');
    await startFleet(context, {
      name: 'bench',
      handlers: handlers.filter(({ queue }) => queue.name === name),
      module: new URL(import.meta.resolve('#bench/load/trivial.ts')),
      concurrency,
    });
    const finished = context.metrics.proofline_jobs_finished_total;
    return { done: async () => (await finished.get()).values.reduce((sum, { value }) => sum + value, 0) };
  },
};
