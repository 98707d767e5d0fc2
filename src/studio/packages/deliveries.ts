import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { ReceiptEvent } from '#src/studio/model/execution-events.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const PREFIX = 'deliver.';

const Delivery = Type.Object({
  channel: Type.String(),
  state: Type.Enum(['intended', 'done', 'unknown']),
  webhookId: Type.Union([Type.String(), Type.Null()]),
  at: Type.Unsafe<Date>({}),
});

/** Names the effect that notifies a channel's receiver of its package. */
export function deliveryEffect(channel: string): string {
  return `${PREFIX}${channel}`;
}

/**
 * Lists the deliveries of a publication, oldest first: `package.delivered`, or `package.unknown` where it may have
 * arrived and the outcome is not known. A refused delivery is left out: it did not happen.
 */
export async function deliveriesOf({ db }: Pick<Context, 'db'>, job: string): Promise<readonly ReceiptEvent[]> {
  const deliveries = await db.any(sql.type(row(Delivery))`
    select substr(effect, ${PREFIX.length + 1}) as channel, state, external_id as "webhookId",
      coalesce(decided_at, intended_at) as at
    from effects where job = ${job} and starts_with(effect, ${PREFIX}) and state <> 'failed' order by at, effect`);
  return deliveries.map(eventOf);
}

function eventOf({ channel, state, webhookId, at }: Static<typeof Delivery>): ReceiptEvent {
  return { type: state === 'done' ? 'package.delivered' : 'package.unknown', at, data: { channel, webhookId } };
}
