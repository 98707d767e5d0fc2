import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { TextResult } from '#queues/platform.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import type { Context } from '#src/system/context.ts';
import type { TextWork } from './text-work.ts';

/** Size limit of a cached answer, bytes. */
const MOST_BYTES = 262_144;

const Cached = Type.Object({ job: Type.String(), result: TextResult });
type Cached = Static<typeof Cached>;

/** Names a request of an owner: equal for the same one, whatever the order of its members. */
export function cacheKey(owner: string, work: TextWork): string {
  return hash('sha256', `${owner}\0${canonicalText(JSON.parse(JSON.stringify(work)))}`, 'hex');
}

/** Reads the cached answer to the same request; null where there is none, or Redis is away. */
export async function readCached(context: Context, key: string): Promise<Cached | null> {
  try {
    const text = await context.redis.get(nameOf(context, key));
    const value: unknown = text === null ? null : JSON.parse(text);
    // another release may have written it
    return value === null || misfit(Cached, value) ? null : (value as Cached);
  } catch (error) {
    context.log.debug({ err: error }, 'the response cache is out of reach');
    return null;
  }
}

/** Caches an answer. An answer that is not cached is generated again. */
export async function writeCached(context: Context, key: string, cached: Cached, seconds: number): Promise<void> {
  const text = JSON.stringify(cached);
  if (Buffer.byteLength(text) > MOST_BYTES) return;
  await context.redis
    .set(nameOf(context, key), text, 'EX', seconds)
    .catch((error: unknown) => context.log.debug({ err: error }, 'an answer was not stored in the response cache'));
}

const nameOf = ({ config }: Context, key: string): string => `${config.REDIS_PREFIX}:text:${key}`;
