import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './redis.ts';

/** Lists the servers that hold the data: the primaries of a cluster, or the one server. */
export function primariesOf(redis: RedisClient): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/**
 * Chooses the node that takes publications. A cluster passes them on from whichever node takes them, but those of two
 * nodes may overtake each other, so all of ours go in at one and the same.
 */
export function publisherOf(redis: RedisClient): RedisClient {
  if (!(redis instanceof Cluster)) return redis;
  const [first] = redis.nodes('master').toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return first ?? redis;
}

const nameOf = ({ options: { host, port } }: Redis) => `${host}:${port}`;

/**
 * Selects the channels that have a subscriber. Each node of a cluster knows its own subscribers alone, so all are
 * asked; where one does not answer, every channel may have one.
 *
 * @throws what a single Redis answers
 */
export async function subscribedChannels(
  redis: RedisClient,
  channels: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!(redis instanceof Cluster)) return await subscribedAt(redis, channels);
  const answers = await Promise.allSettled(redis.nodes('all').map((node) => subscribedAt(node, channels)));
  if (answers.length === 0 || answers.some(({ status }) => status === 'rejected')) return new Set(channels);
  return new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [...answer.value] : [])));
}

/** Finds the channels that fit a pattern and have a subscriber, on any node. @throws what a node answers */
export async function openChannels(redis: RedisClient, pattern: string): Promise<readonly string[]> {
  const nodes = redis instanceof Cluster ? redis.nodes('all') : [redis];
  const found = await Promise.all(nodes.map(async (node) => (await node.pubsub('CHANNELS', pattern)) as string[]));
  return [...new Set(found.flat())];
}

async function subscribedAt(redis: Redis, channels: readonly string[]): Promise<ReadonlySet<string>> {
  const counts = (await redis.pubsub('NUMSUB', ...channels)) as (string | number)[];
  return new Set(channels.filter((_, index) => Number(counts[index * 2 + 1]) > 0));
}
