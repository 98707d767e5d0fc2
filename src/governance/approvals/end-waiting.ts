import { type CommonQueryMethods, sql } from 'slonik';

/** Marks jobs under terms whose decision was no, or did not come, in the caller's transaction: they are ended next. */
export async function endWaiting(tx: CommonQueryMethods, jobs: readonly string[]): Promise<void> {
  await tx.query(sql.unsafe`
    update jobs set gate = 'end'
    where id = any(${sql.array([...jobs].toSorted(), 'uuid')}) and gate = 'asked' and state = 'awaiting_approval'`);
}
