import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Channel on which revoked keys are published to every process. A message is the id of a key, or a session as its
 * holder.
 */
export function purgeChannel(config: Config): string {
  return `${config.REDIS_PREFIX}:keys`;
}

/**
 * Tells every process to forget what it knows of a key. A message that is lost (Redis away) costs no safety: verdicts
 * are kept for less than 5 s anyway.
 */
export async function announcePurge({ redis, config }: Pick<Context, 'redis' | 'config'>, id: string): Promise<void> {
  await redis.publish(purgeChannel(config), id).catch(() => 0);
}
