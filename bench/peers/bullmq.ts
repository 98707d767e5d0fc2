import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { payload } from '#bench/load/trivial.ts';
import type { Peer } from './peer.ts';

const connect = () => new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });

/** BullMQ alone: Redis is its only store. */
export const peer: Peer = {
  openProducer: async () => {
    const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
    const queue = new Queue('bench', { connection: connect(), defaultJobOptions });
    await queue.waitUntilReady();
    return {
      add: () => queue.add('job', payload),
      addMany: (count) => queue.addBulk(Array.from({ length: count }, () => ({ name: 'job', data: payload }))),
    };
  },
  openConsumer: async (concurrency) => {
    let done = 0;
    const options = { connection: connect(), concurrency, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } };
    const worker = new Worker('bench', async () => ({ ok: true }), options);
    worker.on('completed', () => done++);
    await worker.waitUntilReady();
    return { done: () => done };
  },
};
