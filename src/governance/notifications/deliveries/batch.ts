import { sql } from 'slonik';
import type { Context } from '#src/system/context.ts';
import { type Delivery, deliveryColumns, deliveryRow } from './delivery-row.ts';

/** Deliveries to one endpoint that one job sends. */
export interface Batch {
  readonly endpoint: string;
  readonly batch: string;
}

/** Reads what of a batch is still to be sent, oldest first; nothing where another batch has taken its place. */
export async function readBatch({ db }: Pick<Context, 'db'>, { endpoint, batch }: Batch): Promise<readonly Delivery[]> {
  return await db.any(sql.type(deliveryRow)`
    select ${deliveryColumns} from webhook_deliveries d
    where d.endpoint = ${endpoint} and d.state = 'sending' and d.batch = ${batch} order by d.next_at, d.id`);
}

/** Puts back what of a batch was not begun: it is due as before, or given up where the endpoint was disabled meanwhile. */
export async function giveBack({ db }: Pick<Context, 'db'>, { endpoint, batch }: Batch): Promise<void> {
  await db.query(sql.unsafe`
    update webhook_deliveries d set batch = null, state = case when p.disabled_why is null then 'pending' else 'failed' end,
      error = case when p.disabled_why is null then d.error else 'The endpoint was disabled before it was sent.' end
    from webhook_endpoints p
    where p.id = d.endpoint and d.endpoint = ${endpoint} and d.state = 'sending' and d.batch = ${batch}`);
}
