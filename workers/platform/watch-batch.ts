import { cancelBatch, stopOf } from '#src/platform/batches/batch-store.ts';
import type { Context } from '#src/system/context.ts';

const LOOK_MS = 1_000;

/** Why a batch goes no further than the lines that are over. */
export type BatchStop = 'cancelled' | 'expired' | 'revoked';

/** A signal that is aborted, with a {@link BatchStop} as its reason, once a batch is cancelled, its time is over, or its key is revoked, which cancels it. */
export function watchBatch(
  context: Context,
  id: string,
  keyId: string | null,
): { readonly signal: AbortSignal } & AsyncDisposable {
  const stop = new AbortController();
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    try {
      const why = await stopOf(context, id, keyId);
      if (why === 'revoked') await cancelBatch(context, id);
      if (why) stop.abort(why);
    } catch (error) {
      context.log.debug({ err: error, batch: id }, 'whether a batch should stop could not be read; it comes again');
    }
  };
  const begin = () => (looking = looking.then(async () => await (stop.signal.aborted ? undefined : look())));
  void begin();
  const clock = setInterval(() => void begin(), LOOK_MS);
  return {
    signal: stop.signal,
    [Symbol.asyncDispose]: async () => {
      clearInterval(clock);
      await looking;
    },
  };
}
