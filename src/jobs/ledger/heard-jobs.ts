import { jobChannel } from '#src/jobs/model/channels.ts';
import type { Context } from '#src/system/context.ts';
import { openChannels } from '#src/system/redis/redis-cluster.ts';

/** Jobs that are listed at most: the list is read before each look at the ledger. */
const MOST = 100;
/** Milliseconds for which it is not read again where it was longer. */
const LONG_MS = 10_000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Finds the jobs to whose channel anyone listens, on any node. Null where they are too many to list, or Redis does not
 * say: any job may then have a listener.
 */
export function openHeardJobs(context: Context): () => Promise<readonly string[] | null> {
  const pattern = jobChannel(context.config, '*');
  let longUntil = 0;
  return async () => {
    if (performance.now() < longUntil) return null;
    const channels = await openChannels(context.redis, pattern).catch(() => null);
    if (!channels) return null;
    if (channels.length > MOST) longUntil = performance.now() + LONG_MS;
    return channels.length > MOST ? null : channels.flatMap((channel) => UUID.exec(channel) ?? []);
  };
}
