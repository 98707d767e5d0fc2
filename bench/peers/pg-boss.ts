import { PgBoss } from 'pg-boss';
import { payload } from '#bench/load/trivial.ts';
import type { Peer } from './peer.ts';

const open = async () => {
  const boss = new PgBoss({ connectionString: process.env['DATABASE_URL'] ?? '', max: 10, useListenNotify: true });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('bench', { notify: true });
  return boss;
};

/** Two fetchers of 100 jobs each, woken by NOTIFY. A job counts as done when its handler returns: there is no later event. */
export const peer: Peer = {
  openProducer: async () => {
    const boss = await open();
    return {
      add: () => boss.send('bench', payload),
      addMany: (count) =>
        boss.insert(
          'bench',
          Array.from({ length: count }, () => ({ data: payload })),
        ),
    };
  },
  openConsumer: async () => {
    let done = 0;
    const boss = await open();
    const options = { batchSize: 100, localConcurrency: 2, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
    await boss.work('bench', options, async (jobs) => {
      done += jobs.length;
    });
    return { done: () => done };
  },
};
