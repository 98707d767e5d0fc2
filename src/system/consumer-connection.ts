import { openRedis, type RedisClient } from '#src/system/redis/redis.ts';
import type { Context } from './context.ts';
import { perContext } from './per-context.ts';

/** The connection that all BullMQ consumers of a process share for what does not block. It waits for a Redis that is away. */
export const consumerConnection = perContext((context: Context): RedisClient => open(context, 'patient'));

/** A connection to wait on, closed with the context. */
export function waitingConnection(context: Context): RedisClient {
  return open(context, 'waiting');
}

function open(context: Context, use: 'patient' | 'waiting'): RedisClient {
  const redis = openRedis(context.config, use, (error) => context.log.debug({ err: error }, 'redis, consumers'));
  context.onClose(async () => redis.disconnect());
  return redis;
}
