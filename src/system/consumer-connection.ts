import type { ConnectionOptions } from 'bullmq';
import type { Context } from './context.ts';
import { perContext } from './per-context.ts';
import { openRedis, redisOptions } from './redis.ts';

/**
 * The connection of a BullMQ consumer. Of options it opens clients of its own, and closes them; of a cluster it shares
 * the one of this process, and only duplicates it to wait on.
 */
export function consumerConnection(context: Context): ConnectionOptions {
  if (context.config.REDIS_CLUSTER_NODES.length > 0) return clusterOf(context);
  // the same options; BullMQ's type only lacks `undefined` where ioredis' has it
  return redisOptions(context.config, 'patient') as ConnectionOptions;
}

const clusterOf = perContext((context: Context) => {
  const cluster = openRedis(context.config, 'patient', (error) =>
    context.log.debug({ err: error }, 'redis, consumers'),
  );
  context.onClose(async () => cluster.disconnect());
  return cluster;
});
