import { isRedisAway } from '#src/lib/redis-away.ts';
import { isConnectionLost, isTimeout } from '#src/system/postgres/postgres-errors.ts';

/**
 * Checks whether an unexpected error belongs to the line at which it showed, so that no other line would meet it. False
 * where one of our servers has gone away: the batch then goes on later.
 */
export function isOwnFault(error: unknown): boolean {
  return !isConnectionLost(error) && !isTimeout(error) && !isRedisAway(error);
}
