import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { updateLastUsed } from './key-store.ts';

const flushMs = 60_000;

/**
 * Remembers when keys were used and writes it once a minute, in one statement: a write per request would cost more than
 * the request.
 */
export function lastUsed(context: Context): (keyId: string) => void {
  let uses = new Map<string, number>();

  const flush = async () => {
    if (uses.size === 0) return;
    const batch = uses;
    uses = new Map();
    await updateLastUsed(context.db, batch).catch(async (error: unknown) => {
      // a later use of a key has come meanwhile
      uses = new Map([...batch, ...uses]);
      await logFailure(context, error, {}, 'the last use of keys was not written; it comes again');
    });
  };

  const timer = setInterval(() => void flush(), flushMs);
  timer.unref();
  context.onClose(async () => {
    clearInterval(timer);
    await flush();
  });
  return (keyId) => void uses.set(keyId, Date.now());
}
