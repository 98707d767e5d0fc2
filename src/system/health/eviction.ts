import type { Redis } from 'ioredis';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { primariesOf } from '#src/system/redis/redis-cluster.ts';

const SHARED_MS = 5_000;
const RIGHT = 'noeviction';

/**
 * Describes why this Redis may lose data, in a few words; null where it keeps everything, or does not say. By INFO,
 * since services that run Redis for others forbid CONFIG.
 */
export const mayEvict = perContext(({ redis, metrics }: Pick<Context, 'redis' | 'metrics'>) => {
  const ask = sharedAnswer(SHARED_MS, async () => {
    const faults = await Promise.all(primariesOf(redis).map(faultOf));
    return faults.find((fault) => fault !== null) ?? null;
  });
  return async () => {
    // a Redis that is away loses nothing now; that it is away is reported elsewhere
    const fault = await ask().catch(() => null);
    metrics.proofline_redis_may_evict.set(fault === null ? 0 : 1);
    return fault;
  };
});

async function faultOf(node: Redis): Promise<string | null> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await node.info('memory'))?.[1];
  return policy === undefined ? null : evictionFault('Redis', policy);
}

/** Says why a server with this `maxmemory-policy` may lose data, and what to do; null where it keeps everything. */
export function evictionFault(server: string, policy: string): string | null {
  if (policy === RIGHT) return null;
  return `${server} may lose keys: expected maxmemory-policy ${RIGHT}, got ${policy}; set it to ${RIGHT}`;
}
