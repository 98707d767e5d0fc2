import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#src/system/context.ts';

/** How far the relay stood, and in which history, as Redis remembers it. */
export interface Witness {
  readonly epoch: string;
  /** First transaction id that the relay's position had not passed. */
  readonly xmax: string;
}

const keyOf = ({ config }: Context) => `${config.REDIS_PREFIX}:relay`;

const TRIES = 20;

/** Null where Redis knows nothing: a new one, or one that was emptied. @throws what Redis answers, when it stays away. */
export async function readWitness(context: Context): Promise<Witness | null> {
  const ask = async () => await context.redis.hmget(keyOf(context), 'epoch', 'xmax');
  let answer = await ask().catch(() => null);
  // a process that has just begun is not yet connected
  for (let left = TRIES; !answer && left > 0; left--) {
    await sleep(100);
    answer = left > 1 ? await ask().catch(() => null) : await ask();
  }
  const [epoch, xmax] = answer ?? [];
  return epoch && xmax && /^[0-9]+$/.test(xmax) ? { epoch, xmax } : null;
}

/** Best effort: an older witness only tells less. */
export function keepWitness(context: Context, { epoch, xmax }: Witness): void {
  context.redis
    .hset(keyOf(context), { epoch, xmax })
    .catch((error: unknown) => context.log.debug({ err: error }, 'the position of the relay was not kept in Redis'));
}
