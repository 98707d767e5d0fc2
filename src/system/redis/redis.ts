import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Config } from '#src/system/config/config-type.ts';
import { CoalescingConnector, connectorInTurn } from './redis-connector.ts';

/** One Redis, or a Redis Cluster; the commands are the same, as long as the keys of one command share a hash tag. */
export type RedisClient = Redis | Cluster;

/** Reconnect quickly: ioredis' default backs off to 20 s, and a fleet that sleeps that long after an outage is lost work. */
const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 1_000);

const uses = {
  /** Requests and adds: fail fast while Redis is away, because Postgres has the job and the audit will add it again. */
  command: {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: 5_000,
    // a server that hangs is cut off: after the first command that it swallows, the others fail at once
    socketTimeout: 4_000,
  },
  /** Consumers and subscribers: wait for Redis to come back for as long as it takes. */
  patient: { maxRetriesPerRequest: null },
  /** Commands that take something and may wait long for it: never sent later than they were meant, nor twice. */
  waiting: { maxRetriesPerRequest: null, enableOfflineQueue: false, autoResendUnfulfilledCommands: false },
} as const satisfies Record<string, RedisOptions>;

/** Reads the address and the account of Redis from its URL, as ioredis wants them. */
function redisAddress(url: string) {
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

export function redisOptions(config: Config, use: keyof typeof uses): RedisOptions {
  return {
    ...redisAddress(config.REDIS_URL),
    ...uses[use],
    retryStrategy,
    connectTimeout: 3_000,
    Connector: CoalescingConnector,
  };
}

/** Nodes of the cluster to begin at, REDIS_URL's first; empty where Redis is a single one. */
function clusterNodes({ REDIS_URL, REDIS_CLUSTER_NODES }: Config): readonly { host: string; port: number }[] {
  if (REDIS_CLUSTER_NODES.length === 0) return [];
  const { host, port } = redisAddress(REDIS_URL);
  const others = REDIS_CLUSTER_NODES.map((node) => new URL(`redis://${node}`));
  return [{ host, port }, ...others.map((node) => ({ host: node.hostname, port: Number(node.port) }))];
}

/** A client that its caller closes. Errors are handed to `onError`: an unheard one would end the process. */
export function openRedis(config: Config, use: keyof typeof uses, onError: (error: Error) => void): RedisClient {
  const nodes = clusterNodes(config);
  const redis = nodes.length === 0 ? openOne(config, use) : openCluster(config, use, nodes);
  redis.on('error', onError);
  return redis;
}

/**
 * A connection that subscribes, which its caller closes. In a cluster every node gets every publication, so it is a
 * plain one to any of them: where that one goes away it takes the next, and says `ready` again, as it must.
 */
export function openSubscriber(config: Config, onError: (error: Error) => void): Redis {
  const nodes = clusterNodes(config);
  const redis = openOne(config, 'patient', nodes.length === 0 ? {} : { Connector: connectorInTurn(nodes) });
  redis.on('error', onError);
  return redis;
}

function openOne(config: Config, use: keyof typeof uses, more: RedisOptions = {}): Redis {
  return new Redis({ ...redisOptions(config, use), ...more, replyMapping: 'legacy' });
}

function openCluster(config: Config, use: keyof typeof uses, nodes: readonly { host: string; port: number }[]) {
  const { host: _host, port: _port, db: _db, retryStrategy: _retry, ...each } = redisOptions(config, use);
  return new Cluster([...nodes], {
    redisOptions: { ...each, replyMapping: 'legacy' },
    clusterRetryStrategy: retryStrategy,
    enableOfflineQueue: use === 'patient',
    slotsRefreshTimeout: 3_000,
    // a node that leaves without a word is noticed by this, and not by the first command that it swallows
    slotsRefreshInterval: 5_000,
    // names stay names: certificates carry them
    dnsLookup: (address, found) => found(null, address),
  });
}
