import { setTimeout as sleep } from 'node:timers/promises';
import { lanes } from '#src/lib/async/lanes.ts';
import { describeDiskFull } from '#src/lib/disk-full.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from './context.ts';
import { logFailure } from './log-failure.ts';
import { isConnectionLost, isDataError, isTimeout } from './postgres/postgres-errors.ts';

interface Batched<I, O> {
  /** One statement for all items; answers in their order. `again` says an earlier try may already have taken effect. */
  readonly run: (items: readonly I[], again: boolean) => Promise<readonly O[]>;
  /** The error of the one item whose values Postgres refuses. */
  readonly refuse: (item: I, cause: unknown) => AppError;
  /** Milliseconds to repeat while Postgres is away, before the callers get `unavailable`. */
  readonly patienceMs: number;
  /** Characters of an item that are sent; a batch holds no more than {@link BATCH_CHARACTERS}, or one item. */
  readonly weigh?: (item: I) => number;
  /** Most items in one batch, and batches in flight at once: one where they would wait for each other's locks. */
  readonly size?: number;
  readonly width?: number;
}

const HALVING_MS = 15_000;
/** Escaped twice over this still is far below the longest string of the engine. */
const BATCH_CHARACTERS = 16 * 1_048_576;

/**
 * Calls gathered into statements. One bad row never fails its neighbours: on a data error the batch is split in halves
 * until the row fails alone. After a lost connection the same items are sent again with the same ids and tokens; after
 * a timeout, in halves.
 */
export function batched<I, O>(
  context: Context,
  { run, refuse, patienceMs, weigh = () => 0, size = 256, width = 2 }: Batched<I, O>,
): (item: I) => Promise<O> {
  const attempt = async (items: readonly I[], again: boolean, until: number): Promise<PromiseSettledResult<O>[]> => {
    try {
      const values = await run(items, again);
      return values.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      if (isDataError(error) && items.length === 1) return [rejected(refuse(items[0] as I, error))];
      if (isDataError(error)) return await halves(items, again, until);
      if (!isTimeout(error) && !isConnectionLost(error)) return items.map(() => rejected(error));
      // a batch that is too much for the server gets time to be halved
      if (performance.now() > (isTimeout(error) ? until + HALVING_MS : until))
        return items.map(() => rejected(unavailable(error)));
      void logFailure(context, error, { items: items.length }, 'Postgres did not answer a batch; repeating it');
      await sleep(100 + Math.random() * 200);
      return items.length > 1 && isTimeout(error)
        ? await halves(items, true, until)
        : await attempt(items, true, until);
    }
  };
  const halves = async (items: readonly I[], again: boolean, until: number) => {
    const middle = items.length >> 1;
    // one after the other: halves in parallel could lock rows in opposite orders
    const first = await attempt(items.slice(0, middle), again, until);
    return [...first, ...(await attempt(items.slice(middle), again, until))];
  };
  return lanes((items) => attempt(items, false, performance.now() + patienceMs), {
    weigh,
    size,
    width,
    weight: BATCH_CHARACTERS,
  });
}

function rejected(reason: unknown): PromiseRejectedResult {
  return { status: 'rejected', reason };
}

function unavailable(cause: unknown): AppError {
  const diskFull = describeDiskFull(cause);
  if (diskFull !== undefined) return new AppError('storage_full', diskFull, {}, cause);
  return new AppError(
    'unavailable',
    'The database does not answer; try again in a few seconds with the same Idempotency-Key.',
    {},
    cause,
  );
}
