import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import type { Hub, StreamSlot } from './hub.ts';
import type { Cursor, StreamSource } from './stream-source.ts';

const patienceMs = 5_000;

/**
 * A slot at a stream.
 *
 * @throws AppError `unavailable` when Redis or Postgres does not answer in 5 s, `quota_exceeded` for a key with too
 *   many streams.
 */
export async function takeSlot(
  hub: Hub,
  source: StreamSource,
  cursor: Cursor | null,
  keyId: string | null,
): Promise<StreamSlot> {
  const waiting = new AbortController();
  const reserving = hub.reserve(source, cursor, keyId);
  try {
    const late = sleep(patienceMs, null, { signal: waiting.signal, ref: false }).catch(() => null);
    const slot = await Promise.race([reserving, late]);
    if (slot) return slot;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unavailable(error);
  } finally {
    waiting.abort();
  }
  // it may still come; no client takes it then
  reserving.then(
    (slot) => slot.release(),
    () => {},
  );
  throw unavailable(null);
}

function unavailable(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'Streams cannot be opened for the moment; try again in a few seconds.',
    {},
    cause ?? undefined,
  );
}
