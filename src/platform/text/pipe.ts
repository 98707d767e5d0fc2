/** Most values that wait to be read; beyond that the writer waits. */
const MOST = 256;

/** Ordered channel from one part of a process to another. */
export interface Pipe<T> {
  /** Resolves when there is room for more, or the reader has left. */
  readonly push: (values: readonly T[]) => Promise<void>;
  /** Ends it, with an error for the reader where there is one. */
  readonly end: (error?: unknown) => void;
  /** Settles with the first value, or the end that comes before any. @throws what it ended with */
  readonly opened: () => Promise<void>;
  /** Values that have come since the last read, in order. To be read once; leaving it early calls `onLeave`. */
  readonly values: AsyncIterable<readonly T[]>;
}

export function openPipe<T>(onLeave: () => void): Pipe<T> {
  const waiting: T[] = [];
  const over: { end: { readonly error: unknown } | null } = { end: null };
  let left = false;
  let wakeReader = () => {};
  let wakeWriter = () => {};
  const news = async () => {
    if (waiting.length === 0 && over.end === null) await new Promise<void>((resolve) => (wakeReader = resolve));
  };
  async function* read(): AsyncGenerator<readonly T[]> {
    try {
      for (;;) {
        await news();
        if (waiting.length === 0) break;
        const values = waiting.splice(0);
        wakeWriter();
        yield values;
      }
    } finally {
      left = true;
      wakeWriter();
      if (over.end === null) onLeave();
    }
    if (over.end?.error !== undefined) throw over.end.error;
  }
  return {
    push: async (values) => {
      if (left || values.length === 0) return;
      // one by one: a whole answer has more pieces than a call may have arguments
      for (const value of values) waiting.push(value);
      wakeReader();
      if (waiting.length >= MOST) await new Promise<void>((resolve) => (wakeWriter = resolve));
    },
    end: (error) => {
      over.end ??= { error };
      wakeReader();
      wakeWriter();
    },
    opened: async () => {
      await news();
      if (waiting.length === 0 && over.end?.error !== undefined) throw over.end.error;
    },
    values: read(),
  };
}
