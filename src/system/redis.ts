import type { ConnectionOptions } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { Config } from './config.ts';
import { CoalescingConnector } from './redis-connector.ts';

/** Reconnect quickly: ioredis' default backs off to 20 s, and a fleet that sleeps that long after an outage is lost work. */
const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 1_000);

const uses = {
  /** Requests and adds: fail fast while Redis is away, because Postgres has the job and the audit will add it again. */
  command: { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 5_000 },
  /** BullMQ workers and subscribers: wait for Redis to come back for as long as it takes. */
  patient: { maxRetriesPerRequest: null },
} as const satisfies Record<string, RedisOptions>;

/** Where Redis is, as ioredis wants it. */
function redisAddress(url: string): RedisOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    db: Number(pathname.slice(1) || 0),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

function redisOptions(config: Config, use: keyof typeof uses): RedisOptions {
  return {
    ...redisAddress(config.REDIS_URL),
    ...uses[use],
    retryStrategy,
    connectTimeout: 3_000,
    Connector: CoalescingConnector,
  };
}

/** The connection of a BullMQ consumer, which opens and closes its own clients. */
export function consumerConnection(config: Config): ConnectionOptions {
  // the same options; BullMQ's type only lacks `undefined` where ioredis' has it
  return redisOptions(config, 'patient') as ConnectionOptions;
}

/** A client that its caller closes. Errors are handed to `onError`: an unheard one would end the process. */
export function openRedis(config: Config, use: keyof typeof uses, onError: (error: Error) => void): Redis {
  const redis = new Redis({ ...redisOptions(config, use), replyMapping: 'legacy' });
  redis.on('error', onError);
  return redis;
}
