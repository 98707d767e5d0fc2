import { Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';

/** Jobs of BullMQ that keep how far they are by `updateData`, as its documentation advises for processes in steps. */
const connect = () => new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
const queue = new Queue<{ readonly step: number }>('steps', { connection: connect() });
const events = new QueueEvents('steps', { connection: connect() });
let steps = 0;
let times: number[] = [];
const worker = new Worker<{ readonly step: number }>(
  'steps',
  async (job) => {
    for (let step = 0; step < steps; step++) {
      const from = now();
      await job.updateData({ step });
      times.push(now() - from);
    }
  },
  { connection: connect() },
);
await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), worker.waitUntilReady()]);

answerCalls({
  /** Times of all steps of `jobs` jobs, one after the other. */
  run: async (wanted: { readonly jobs: number; readonly steps: number }) => {
    steps = wanted.steps;
    times = [];
    for (let count = 0; count < wanted.jobs; count++)
      await (await queue.add('job', { step: 0 })).waitUntilFinished(events);
    return times;
  },
});
