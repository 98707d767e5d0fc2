import { type BackendFactory, QueueKeys, RedisConnection, RedisQueueBackend } from 'bullmq';
import { consumerConnection, waitingConnection } from '#src/system/consumer-connection.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { type MarkerWait, openMarkerWait } from './marker-wait.ts';

/** BullMQ's backend on connections that all consumers of a process share, where its own opens two for each of them. */
class SharedBackend extends RedisQueueBackend {
  #markers: MarkerWait | undefined;
  #leaving = new AbortController();

  over(markers: MarkerWait): this {
    this.#markers = markers;
    return this;
  }

  override async waitForJob(seconds: number) {
    return (await this.#markers?.wait(this.keys['marker'] ?? '', seconds, this.#leaving.signal)) ?? null;
  }

  override async disconnectBlocking(): Promise<void> {
    // as a client that was closed says it: BullMQ takes nothing more from the queue then
    this.#leaving.abort(new Error('Connection is closed.'));
  }

  override async reconnectBlocking(): Promise<void> {
    if (this.#leaving.signal.aborted) this.#leaving = new AbortController();
  }
}

/** Backends for the consumers of this process. They open nothing: what they share is closed with the context. */
export function consumerBackend(context: Context, prefix: string): BackendFactory<RedisQueueBackend> {
  return (name, opts) => {
    const connection = new RedisConnection(consumerConnection(context), { shared: true, blocking: false });
    const keys = new QueueKeys(prefix);
    const toKey = (type: string) => keys.toKey(name, type);
    return new SharedBackend(connection, name, keys.getKeys(name), toKey, opts).over(markersOf(context)(prefix));
  };
}

/** One wait for all queues of a process; in a Redis Cluster, where a command has keys of one hash tag alone, one for each prefix. */
export const markersOf = perContext((context: Context) => {
  const opened = new Map<string, MarkerWait>();
  const isCluster = context.config.REDIS_CLUSTER_NODES.length > 0;
  return (prefix: string): MarkerWait => {
    const shared = isCluster ? prefix : context.config.REDIS_PREFIX;
    const known = opened.get(shared);
    if (known) return known;
    const wait = openMarkerWait(waitingConnection(context), consumerConnection(context), shared);
    opened.set(shared, wait);
    return wait;
  };
});
