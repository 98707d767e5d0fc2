import { type JobMessage, jobChannel } from '#src/jobs/model/channels.ts';
import type { Context } from '#src/system/context.ts';
import { publisherOf, subscribedChannels } from '#src/system/redis/redis-cluster.ts';
import { readNamedEvents } from './ledger.ts';
import type { NewEvent } from './relay-read.ts';

const BATCH = 500;

/**
 * Publishes events on their jobs' channels, where anyone listens. Skipping the others is safe: who subscribes after
 * this look reads the ledger after its subscription is confirmed, and finds them there. `isHeard` says that these are
 * already the ones that anyone listens to.
 */
export async function publishEvents(
  context: Context,
  epoch: string,
  events: readonly NewEvent[],
  isHeard: boolean,
): Promise<void> {
  const { metrics } = context;
  metrics.proofline_relay_events_total.inc(events.length);
  for (let at = 0; at < events.length; at += BATCH) {
    const batch = events.slice(at, at + BATCH);
    // Redis away: followers re-read the ledger when they are subscribed again, and every 15 s
    await publishBatch(context, epoch, batch, isHeard).catch((error: unknown) =>
      context.log.debug({ err: error }, 'a publication was lost'),
    );
    const now = Date.now() / 1_000;
    for (const event of batch) metrics.proofline_relay_lag_seconds.observe(Math.max(0, now - event.at));
  }
}

async function publishBatch(
  context: Context,
  epoch: string,
  batch: readonly NewEvent[],
  isHeard: boolean,
): Promise<void> {
  const { redis, config } = context;
  const wanted = isHeard ? batch : await selectHeard(context, batch);
  if (wanted.length === 0) return;
  const pipeline = publisherOf(redis).pipeline();
  for (const { job, event } of await readNamedEvents(context, wanted))
    pipeline.publish(jobChannel(config, job), JSON.stringify({ epoch, ...event } satisfies JobMessage));
  await pipeline.exec();
}

async function selectHeard({ redis, config }: Context, batch: readonly NewEvent[]): Promise<readonly NewEvent[]> {
  const channels = [...new Set(batch.map(({ job }) => job))].map((job) => jobChannel(config, job));
  const heard = await subscribedChannels(redis, channels);
  return batch.filter(({ job }) => heard.has(jobChannel(config, job)));
}
