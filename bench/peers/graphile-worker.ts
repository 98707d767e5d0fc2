import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { payload } from '#bench/load/trivial.ts';
import type { Peer } from './peer.ts';

const logger = new Logger(() => () => {});

const open = (max: number) =>
  new pg.Pool({ connectionString: process.env['DATABASE_URL'], max, connectionTimeoutMillis: 5_000 }).on(
    'error',
    () => {},
  );

/** Its default, or with the local queue that fetches 500 jobs at once. */
const peerWith = (localQueueSize: number): Peer => ({
  openProducer: async () => {
    const utils = await makeWorkerUtils({ pgPool: open(10), logger });
    await utils.migrate();
    return {
      add: () => utils.addJob('job', payload),
      addMany: (count) => utils.addJobs(Array.from({ length: count }, () => ({ identifier: 'job', payload }))),
    };
  },
  openConsumer: async (concurrentJobs) => {
    let done = 0;
    const events = new EventEmitter();
    events.on('job:complete', () => done++);
    const local = { localQueue: { size: localQueueSize }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
    await run({
      pgPool: open(concurrentJobs + 4),
      logger,
      events,
      taskList: { job: async () => {} },
      preset: { worker: { concurrentJobs, ...(localQueueSize > 0 ? local : {}) } },
    });
    return { done: () => done };
  },
});

export const peer = peerWith(0);
export const peerWithLocalQueue = peerWith(500);
