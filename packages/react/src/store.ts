/** A value that is followed while a component shows it, as `useSyncExternalStore` takes it. */
export interface Store<Value> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => Value;
}

/**
 * Opens a store whose value comes from a source that is read while there is a listener.
 *
 * @param read reads the source until the signal is aborted, and sets values; a rejection is given to `fail`
 */
export function openStore<Value>(
  first: Value,
  read: (set: (change: (value: Value) => Value) => void, signal: AbortSignal) => Promise<void>,
  fail: (value: Value, error: unknown) => Value,
): Store<Value> {
  const listeners = new Set<() => void>();
  let value = first;
  let reading: AbortController | undefined;

  const start = (): void => {
    const { signal } = (reading = new AbortController());
    const set = (change: (value: Value) => Value): void => {
      if (signal.aborted) return;
      value = change(value);
      for (const listener of listeners) listener();
    };
    read(set, signal).catch((error: unknown) => set((last) => fail(last, error)));
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) reading?.abort();
      };
    },
    get: () => value,
  };
}
