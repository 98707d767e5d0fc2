export interface LaneOptions<I> {
  /** Batches of one kind in flight at once. */
  readonly width?: number;
  /** Most items in one batch. */
  readonly size?: number;
  /** Weight of an item, and the most that a batch of more than one may weigh: bytes, say. */
  readonly weigh?: (item: I) => number;
  readonly weight?: number;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (value: O | PromiseLike<O>) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Batches calls by lanes, not by a timer: while `width` batches are in flight, what arrives gathers for the next one, so
 * an idle system adds no delay and a busy one sends full batches. `run` gets the items in order of arrival and must
 * answer one settled result per item, in the same order.
 */
export function lanes<I, O>(
  run: (items: readonly I[]) => Promise<readonly PromiseSettledResult<O>[]>,
  { width = 2, size = 256, weigh = () => 0, weight = 0 }: LaneOptions<I> = {},
): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  let inFlight = 0;
  let scheduled = false;

  const send = async (batch: readonly Waiting<I, O>[]) => {
    inFlight++;
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason ?? new Error('a batch answered fewer results than it had items'));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight--;
      pump();
    }
  };

  const pump = () => {
    scheduled = false;
    while (inFlight < width && waiting.length > 0) {
      const count = fitting(waiting, size, weigh, weight);
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      void send(batch);
    }
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (scheduled || inFlight >= width) return;
      scheduled = true;
      // calls of the same turn of the event loop share the first batch
      setImmediate(pump);
    });
}

/** Counts the first items that make a batch; at least one, whatever it weighs. */
function fitting<I, O>(
  waiting: readonly Waiting<I, O>[],
  size: number,
  weigh: (item: I) => number,
  weight: number,
): number {
  const most = Math.min(size, waiting.length);
  let sum = 0;
  for (let count = 0; count < most; count++) {
    sum += weigh(waiting[count]!.item);
    if (count > 0 && sum > weight) return count;
  }
  return most;
}
