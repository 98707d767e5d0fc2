import type { DatabaseTransactionConnection } from 'slonik';
import { lanes } from '#src/lib/async/lanes.ts';
import type { Context } from './context.ts';
import { isConnectionLost, isTimeout, sqlState } from './postgres/postgres-errors.ts';

interface SharedTransaction<I, O, S> {
  /** Does the work of all items; what it answers is there once it is committed. */
  readonly work: (tx: DatabaseTransactionConnection, items: readonly I[]) => Promise<S>;
  /** Makes the answers, in the order of the items; the transaction is committed. */
  readonly answer: (done: S, items: readonly I[]) => Promise<readonly O[]>;
  /** Most items of one transaction, and transactions at once: one where they would wait for each other's locks. */
  readonly size: number;
  readonly width?: number;
}

/**
 * Calls of one moment that share a transaction. Where it fails, each is tried once more in one of its own, so that one
 * that fails does not fail the others: `work` may run twice for an item, and nothing of the first time is left then.
 */
export function sharedTransaction<I, O, S>(
  context: Context,
  { work, answer, size, width = 2 }: SharedTransaction<I, O, S>,
): (item: I) => Promise<O> {
  const attempt = async (items: readonly I[]): Promise<readonly PromiseSettledResult<O>[]> => {
    let done: S;
    try {
      done = await context.db.transaction(async (tx) => await work(tx, items));
    } catch (error) {
      if (items.length === 1 || isGone(error)) return items.map(() => ({ status: 'rejected', reason: error }));
      const settled: PromiseSettledResult<O>[] = [];
      for (const item of items) settled.push(...(await attempt([item])));
      return settled;
    }
    const answers = await answer(done, items);
    return answers.map((value) => ({ status: 'fulfilled', value }));
  };
  return lanes(attempt, { size, width });
}

/** Checks whether the server is gone; where it only took too long, a smaller part may not. */
function isGone(error: unknown): boolean {
  return isConnectionLost(error) && !isTimeout(error) && !sqlState(error)?.startsWith('25P0');
}
