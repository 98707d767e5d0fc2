import { LRUCache } from 'lru-cache';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { unfinishedStates } from '#src/jobs/model/states.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** A count is believed this long; meanwhile the process adds what it lets in itself. */
const freshMs = 1_000;

const Count = Type.Object({ n: Type.Integer() });

/** Unfinished jobs of an owner in a queue, counted up to `most`: beyond that the number does not matter. */
export async function countQueued(
  { db }: Pick<Context, 'db'>,
  owner: string,
  queue: string,
  most: number,
): Promise<number> {
  const { n } = await db.one(sql.type(row(Count))`
    select count(*) as n from (
      select from jobs where owner = ${owner} and state = any(${sql.array([...unfinishedStates], 'text')}) and queue = ${queue} limit ${most}
    ) as unfinished`);
  return n;
}

/**
 * Refuses new work of an owner whose queue is full.
 *
 * @throws AppError `quota_exceeded` (429), with the depth and the bound in its details.
 */
export type AdmitWork = (owner: string, queue: string) => Promise<void>;

/**
 * The count is shared by requests of one second, so the bound may be passed by what other processes let in meanwhile.
 */
export const admitWork = perContext((context): AdmitWork => {
  const bound = context.config.OWNER_QUEUE_DEPTH;
  const counts = new LRUCache<string, { readonly counted: Promise<number>; admitted: number }>({
    max: 10_000,
    ttl: freshMs,
  });

  return async (owner, queue) => {
    const name = `${queue} ${owner}`;
    const entry = counts.get(name) ?? { counted: countQueued(context, owner, queue, bound), admitted: 0 };
    if (!counts.has(name)) counts.set(name, entry);
    const depth = await entry.counted.catch((error: unknown) => {
      counts.delete(name);
      throw error;
    });
    if (depth + entry.admitted >= bound) {
      throw new AppError(
        'quota_exceeded',
        `expected fewer than ${bound} unfinished jobs of yours in ${queue}, got as many already. Wait until some have finished.`,
        {
          queue,
          limit: bound,
          retry_after_seconds: 5,
        },
      );
    }
    entry.admitted++;
  };
});
