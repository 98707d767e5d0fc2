import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from './context.ts';
import { perContext } from './per-context.ts';
import { row } from './postgres/postgres.ts';

/** For so long a reading of the clock is gone by; meanwhile the time that has passed is added. */
const FRESH_MS = 10_000;

const nowRow = row(Type.Object({ now: Type.Unsafe<Date>({}) }));

/**
 * Tells the time by the clock of Postgres, which every time of a job is compared with: this machine's may be wrong, or be
 * set while it runs. Asks it every ten seconds at most.
 *
 * @throws what Postgres answers, where it has to be asked
 */
export const databaseNow = perContext(({ db }: Context): (() => Promise<Date>) => {
  let known: { readonly at: number; readonly readAt: number } | undefined;
  const read = async () => {
    const before = performance.now();
    const at = (await db.oneFirst(sql.type(nowRow)`select clock_timestamp() as now`)).getTime();
    const after = performance.now();
    // it was read somewhere in between
    return { at, readAt: (before + after) / 2 };
  };
  return async () => {
    if (!known || performance.now() - known.readAt > FRESH_MS) known = await read();
    return new Date(known.at + performance.now() - known.readAt);
  };
});
