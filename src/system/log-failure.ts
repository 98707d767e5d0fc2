import { isRedisAway } from '#src/lib/redis-away.ts';
import type { Context } from './context.ts';

/** As `logFailure`, of one process. */
export type OnFailure = (error: unknown, fields: object, message: string) => void;

type Servers = Pick<Context, 'log' | 'redis' | 'postgresWatch'>;

/**
 * Logs that something failed and comes again. Where all it says is that a server is away, the line that tells of the
 * outage says it already, once: then this one is for `debug`.
 */
export async function logFailure(
  { log, redis, postgresWatch }: Servers,
  error: unknown,
  fields: object,
  message: string,
  level: 'warn' | 'error' = 'warn',
): Promise<void> {
  const isUnavailable = isRedisAway(error) ? redis.status !== 'ready' : await postgresWatch.isUnavailable(error);
  log[isUnavailable ? 'debug' : level]({ err: error, ...fields }, message);
}
