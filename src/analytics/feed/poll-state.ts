import type { Context } from '#src/system/context.ts';
import type { Validators } from './fetch-quotes.ts';

/** What is remembered of a symbol's document between two requests. */
export interface PollState extends Validators {
  /** SHA-256 of the last document that was taken, hexadecimal. */
  readonly digest: string | null;
  /** Requests in a row that gave nothing usable. */
  readonly failures: number;
  /** No request before, epoch milliseconds. */
  readonly notBefore: number;
}

const initial: PollState = { etag: null, modified: null, digest: null, failures: 0, notBefore: 0 };

function keyOf({ config }: Pick<Context, 'config'>, symbol: string): string {
  return `{${config.REDIS_PREFIX}-poll-${symbol}}`;
}

/** In Redis: where it is lost, the document is asked for once more. */
export async function readPollState(context: Pick<Context, 'redis' | 'config'>, symbol: string): Promise<PollState> {
  const text = await context.redis.get(keyOf(context, symbol));
  return text === null ? initial : (JSON.parse(text) as PollState);
}

export async function keepPollState(
  context: Pick<Context, 'redis' | 'config'>,
  symbol: string,
  state: PollState,
): Promise<void> {
  await context.redis.set(keyOf(context, symbol), JSON.stringify(state));
}
