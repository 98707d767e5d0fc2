import type { FeedStatus } from '#src/analytics/answers/envelope.ts';
import { problemField, unfitField } from '#src/analytics/answers/freshness.ts';
import type { ErrorCode } from '#src/lib/error-codes.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { liveKeys, marketName } from './live-tell.ts';

const statusOf: Partial<Record<ErrorCode, FeedStatus>> = {
  invalid_chain: 'invalid',
  malformed_body: 'invalid',
  invalid_payload: 'refused',
  payload_too_large: 'refused',
};

/** How a feed did that ended in this error. */
export function feedStatusOf(error: unknown): FeedStatus {
  if (!(error instanceof AppError)) return 'unavailable';
  return error.details['half'] === true ? 'half_chain' : (statusOf[error.code] ?? 'unavailable');
}

/** Says from now on in every answer of a symbol's feed how the feed did when it was last asked. */
export async function tellFeedStatus(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  symbol: string,
  status: FeedStatus,
): Promise<void> {
  const { answers } = liveKeys(config, marketName(symbol));
  await (status === 'ok' ? redis.hdel(answers, problemField) : redis.hset(answers, problemField, status));
}

/** Says in every answer of a symbol's feed that its newest chain could not be computed, until one can. */
export async function tellUnfit({ redis, config }: Pick<Context, 'redis' | 'config'>, symbol: string): Promise<void> {
  await redis.hset(liveKeys(config, marketName(symbol)).answers, unfitField, 'invalid' satisfies FeedStatus);
}
