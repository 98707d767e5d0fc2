import { type FragmentSqlToken, sql } from 'slonik';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { DeliveryState } from './delivery-row.ts';

/** Deliveries that one request sends again. */
export const MOST_REPLAYED = 10_000;

const CountRow = row(Type.Object({ count: Type.Integer() }));

export interface ReplayRange {
  readonly from: Date;
  readonly to: Date;
  /** State that they are in; without one any in which they have ended. */
  readonly state?: Extract<DeliveryState, 'delivered' | 'failed'> | undefined;
}

/**
 * Has the deliveries of a time sent again, under their ids, oldest first; at most {@link MOST_REPLAYED}.
 *
 * @param endpoint one that the caller may change
 * @returns the number of them
 */
export async function replayRange(
  context: Context,
  endpoint: string,
  { from, to, state }: ReplayRange,
): Promise<number> {
  const states = state === undefined ? ['delivered', 'failed'] : [state];
  return await replay(
    context,
    endpoint,
    sql.fragment`d.id in (
      select o.id from webhook_deliveries o where o.endpoint = ${endpoint} and o.state = any(${sql.array(states, 'text')})
        and o.created_at >= ${from.toISOString()}::timestamptz and o.created_at < ${to.toISOString()}::timestamptz
      order by o.id limit ${MOST_REPLAYED})`,
  );
}

/**
 * Has one delivery sent again, under its id; one that waits for its next attempt, at once.
 *
 * @throws AppError `state_conflict` while it is under way
 */
export async function replayOne(
  context: Context,
  { id, endpoint }: { readonly id: string; readonly endpoint: string },
): Promise<void> {
  if ((await replay(context, endpoint, sql.fragment`d.id = ${id}`)) === 1) return;
  throw new AppError(
    'state_conflict',
    `expected a delivery that is not under way, got ${id}: look again in a few seconds.`,
  );
}

async function replay(context: Context, endpoint: string, which: FragmentSqlToken): Promise<number> {
  return await context.db.transaction(async (tx) => {
    const { count } = await tx.one(sql.type(CountRow)`
      with again as (
        update webhook_deliveries d set state = 'pending', replays = replays + 1, delivered_at = null, next_at = now(),
          give_up_at = now() + interval '1 day'
        where ${which} and d.state <> 'sending' returning 1
      ) select count(*) as count from again`);
    // who asks for it now does not mean the next quarter of an hour
    await tx.query(sql.unsafe`
      update webhook_endpoints set not_before = null where id = ${endpoint} and not_before is not null`);
    return count;
  });
}
