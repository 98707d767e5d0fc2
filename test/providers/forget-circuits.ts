import type { Context } from '#src/system/context.ts';

/** Every provider is well again, whatever a test before made of it. */
export async function forgetCircuits({ redis, config }: Pick<Context, 'redis' | 'config'>): Promise<void> {
  const circuits = await redis.keys(`${config.REDIS_PREFIX}:circuit:*`);
  if (circuits.length > 0) await redis.del(circuits);
}
