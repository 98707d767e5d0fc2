import { Cluster, type Redis } from 'ioredis';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

const SHARED_MS = 5_000;
const RIGHT = 'noeviction';

/**
 * Describes why this Redis may lose data, in a few words; null where it keeps everything, or does not say. By INFO,
 * since services that run Redis for others forbid CONFIG.
 */
export const mayEvict = perContext(({ redis, metrics }: Pick<Context, 'redis' | 'metrics'>) => {
  const ask = sharedAnswer(SHARED_MS, async () => {
    const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
    const policies = await Promise.all(nodes.map(policyOf));
    return policies.find((policy) => policy !== null && policy !== RIGHT) ?? null;
  });
  return async () => {
    // a Redis that is away loses nothing now; that it is away is reported elsewhere
    const policy = await ask().catch(() => null);
    metrics.proofline_redis_may_evict.set(policy === null ? 0 : 1);
    return policy === null
      ? null
      : `Redis may lose keys: expected maxmemory-policy ${RIGHT}, got ${policy}; set it to ${RIGHT}`;
  };
});

async function policyOf(node: Redis): Promise<string | null> {
  return /^maxmemory_policy:(\S+)/m.exec(await node.info('memory'))?.[1] ?? null;
}
