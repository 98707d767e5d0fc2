import { AppError } from '#src/lib/errors.ts';

/** The streams that keys have open, counted; and those among them that only their holder can end. */
export interface Holders {
  /** One of the streams that a key may have open; gives it back when called. @throws AppError `quota_exceeded` */
  readonly takePlace: (keyId: string | null) => () => void;
  /** The same, of an answer that `end` ends, and that says by the function given back when it has ended. */
  readonly hold: (keyId: string | null, end: (reason: string) => void) => () => void;
  readonly keyIds: () => readonly string[];
  readonly closeKey: (keyId: string, reason: string) => void;
  readonly closeAll: (reason: string) => void;
  /** Resolves when all that are held now have ended. */
  readonly empty: () => Promise<unknown>;
}

interface Held {
  readonly keyId: string | null;
  readonly end: (reason: string) => void;
  readonly gone: PromiseWithResolvers<void>;
}

export function openHolders(perKey: number): Holders {
  const places = new Map<string, number>();
  const held = new Set<Held>();
  const takePlace: Holders['takePlace'] = (keyId) => {
    if (keyId === null) return () => {};
    const taken = places.get(keyId) ?? 0;
    if (taken >= perKey)
      throw new AppError('quota_exceeded', `expected at most ${perKey} open streams of a key, got one more.`, {
        limit: perKey,
        retry_after_seconds: 5,
      });
    places.set(keyId, taken + 1);
    return once(() => {
      const left = (places.get(keyId) ?? 1) - 1;
      if (left > 0) places.set(keyId, left);
      else places.delete(keyId);
    });
  };
  return {
    takePlace,
    hold: (keyId, end) => {
      const leavePlace = takePlace(keyId);
      const one = { keyId, end, gone: Promise.withResolvers<void>() };
      held.add(one);
      return once(() => {
        held.delete(one);
        leavePlace();
        one.gone.resolve();
      });
    },
    keyIds: () => [...held].flatMap(({ keyId }) => keyId ?? []),
    closeKey: (keyId, reason) => {
      for (const one of held) if (one.keyId === keyId) one.end(reason);
    },
    closeAll: (reason) => {
      for (const { end } of held) end(reason);
    },
    empty: async () => await Promise.all([...held].map(({ gone }) => gone.promise)),
  };
}

/** The same, done at its first call alone. */
export function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (!done) run();
    done = true;
  };
}
