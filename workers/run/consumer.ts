import { type Job, Worker } from 'bullmq';
import { brokerName, brokerPrefix, type Delivery } from '#src/jobs/broker/broker.ts';
import { consumerBackend } from '#src/jobs/broker/consumer-backend.ts';
import { consumerConnection } from '#src/system/consumer-connection.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import type { Handler } from './processor.ts';

export interface ConsumerOptions {
  readonly suspects: boolean;
  /** Deliveries in hand at once. */
  readonly concurrency: number;
}

/** BullMQ's worker, which also says when Redis last answered its fetch loop. Idle, that loop fetches every few seconds. */
class Consumer extends Worker<Delivery> {
  heardAt = performance.now();
  inHand = 0;

  /** Seconds since the fetch loop was answered; 0 where it rests because its hands are full. */
  silence(): number {
    return this.inHand >= this.concurrency ? 0 : (performance.now() - this.heardAt) / 1_000;
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Delivery>> {
    const job = await super.moveToActive(token, name);
    this.heardAt = performance.now();
    return job;
  }
}

/** One BullMQ consumer. Its attempts, failures and stalls decide nothing; Postgres does. */
export function consume(
  context: Context,
  { queue }: Handler,
  { suspects, concurrency }: ConsumerOptions,
  /** `rank` is the broker's: of two entries it hands out the one with the lower first. */
  handle: (delivery: Delivery, rank: number) => Promise<void>,
): Worker<Delivery> {
  const { config, metrics, log } = context;
  const label = { queue: queue.name };
  const prefix = brokerPrefix(config, queue.name);
  const consumer = new Consumer(
    brokerName({ queue: queue.name, version: queue.version }, suspects),
    // three named parameters: BullMQ counts them, and makes no abort signal for fewer
    async (job, _token, _signal) => {
      consumer.inHand++;
      await handle(job.data, job.opts.priority ?? 0).finally(() => {
        consumer.inHand--;
        // a loop that rested is as good as answered: its next fetch follows at once
        consumer.heardAt = performance.now();
      });
    },
    {
      connection: consumerConnection(context),
      prefix,
      concurrency,
      // covers what was fetched but not claimed; leases of running jobs are ours
      lockDuration: 4_000,
      stalledInterval: 2_000,
      maxStalledCount: 1_000_000_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      drainDelay: 2,
    },
    consumerBackend(context, prefix),
  );
  consumer.on('error', (error) => {
    metrics.proofline_broker_errors_total.inc(label);
    log.debug({ err: error, ...label }, 'broker');
  });
  consumer.on('stalled', () => metrics.proofline_broker_stalls_total.inc(label));
  const known = consumersOf(context);
  known.set(consumer, queue.name);
  consumer.once('closing', () => known.delete(consumer));
  return consumer;
}

/** The consumers of a process with their queues: one gauge tells of all of them, for each queue its most silent one. */
const consumersOf = perContext(({ metrics }: Context) => {
  const consumers = new Map<Consumer, string>();
  const gauge = metrics.proofline_consumer_last_fetch_age_seconds;
  const collect = () => {
    gauge.reset();
    for (const [queue, own] of Map.groupBy(consumers, ([, name]) => name))
      gauge.set({ queue }, Math.max(...own.map(([consumer]) => consumer.silence())));
  };
  Object.assign(gauge, { collect });
  return consumers;
});
