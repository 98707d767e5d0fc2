import type { Config } from './config/config-type.ts';
import { assertPostgresAnswers } from './postgres/postgres-start.ts';
import { assertRedisAnswers } from './redis/redis-start.ts';

/**
 * Waits until Postgres and Redis answer, a few seconds at most.
 *
 * @throws AppError `invalid_configuration` with the setting, the address and the reason; the signal's reason when that
 *   aborts first.
 */
export async function assertServersAnswer(config: Config, signal: AbortSignal): Promise<void> {
  await Promise.all([assertPostgresAnswers(config, signal), assertRedisAnswers(config, signal)]);
}
