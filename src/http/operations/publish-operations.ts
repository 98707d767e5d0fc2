import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { openChannels, publisherOf } from '#src/system/redis/redis-cluster.ts';
import { type Operations, operationsChannel, operationsType, readOperations } from './operations-stream.ts';

const LOOK_MS = 1_000;
/** Counting takes at most one part in so many of the time: a long queue is looked at less often. */
const SHARE = 5;
/**
 * Milliseconds after which figures are published again although nothing has changed: a publication may have been lost.
 */
const AGAIN_MS = 10_000;

interface Publication {
  readonly text: string;
  readonly at: number;
}

/**
 * Publishes the status of queues and fleets to the subscribers, whenever it changes. One process counts at a time,
 * whatever the number of subscribers and of processes that serve them, and none counts without subscribers.
 */
export function startOperations(context: Context): AsyncDisposable {
  return leadByLock(context, 'operations', async (signal) => {
    let published: ReadonlyMap<string, Publication> = new Map();
    while (!signal.aborted) {
      const begun = performance.now();
      try {
        published = await publishFollowed(context, published);
      } catch (error) {
        context.log.debug({ err: error }, 'the figures of queues and fleets could not be published');
      }
      const pause = Math.max(LOOK_MS, (performance.now() - begun) * (SHARE - 1));
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  });
}

/** Publishes to each channel with subscribers, where there is news; answers what was published last. */
async function publishFollowed(
  context: Context,
  before: ReadonlyMap<string, Publication>,
): Promise<ReadonlyMap<string, Publication>> {
  const { redis, config } = context;
  const everybody = operationsChannel(config, null);
  const owners = `${everybody}:`;
  const channels = await openChannels(redis, `${everybody}*`);
  const published = new Map<string, Publication>();
  for (const channel of channels) {
    if (channel !== everybody && !channel.startsWith(owners)) continue;
    const owner = channel === everybody ? null : channel.slice(owners.length);
    const operations = await readOperations(context, owner);
    const text = figuresOf(operations);
    const last = before.get(channel);
    const now = performance.now();
    if (last?.text === text && now - last.at < AGAIN_MS) {
      published.set(channel, last);
      continue;
    }
    const { at } = operations;
    await publisherOf(redis).publish(channel, JSON.stringify({ type: operationsType, key: '', at, data: operations }));
    published.set(channel, { text, at: now });
  }
  return published;
}

/** All but what changes with every look although nothing has happened: the time, and signs of life. */
function figuresOf({ queues, fleets, workers }: Operations): string {
  return JSON.stringify([queues, fleets, workers], (name, value: unknown) => (name === 'beat_at' ? undefined : value));
}
