import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { webhookEvents } from './webhook-body.ts';

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

const Row = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  job: Type.String(),
  url: Type.String(),
  event: Type.Enum([...webhookEvents]),
  body: Type.String(),
  state: Type.Enum(['pending', 'delivered', 'failed']),
  attempts: Type.Integer(),
  replays: Type.Integer(),
  /** HTTP status of the newest answer. */
  status: nullable(Type.Integer()),
  error: nullable(Type.String()),
  createdAt: Type.Unsafe<Date>({}),
  deliveredAt: nullable(Type.Unsafe<Date>({})),
});
/** Notification of one end of a job. */
export type WebhookDelivery = Static<typeof Row>;
const deliveryRow = row(Row);

/** State of deliveries `d`, by the jobs `s` that deliver them. */
const state = sql.fragment`case when d.delivered_at is not null then 'delivered'
  when s.state in ('failed', 'cancelled') then 'failed' else 'pending' end`;
const columns = sql.fragment`
  d.id, d.owner, d.job, d.url, d.event, d.body, ${state} as state, d.attempts, d.replays, d.status, d.error,
  d.created_at as "createdAt", d.delivered_at as "deliveredAt"`;
const source = sql.fragment`platform_deliveries d left join jobs s on s.id = d.sender`;

export async function readDelivery({ db }: Pick<Context, 'db'>, id: string): Promise<WebhookDelivery | null> {
  return await db.maybeOne(sql.type(deliveryRow)`select ${columns} from ${source} where d.id = ${id}`);
}

/**
 * An owner's deliveries, newest first.
 *
 * @param before id of one: only older ones
 * @param limit 1 to 100
 */
export async function listDeliveries(
  { db }: Pick<Context, 'db'>,
  owner: string,
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<readonly WebhookDelivery[]> {
  return await db.any(sql.type(deliveryRow)`
    select ${columns} from ${source} where d.owner = ${owner}
    and ${before === undefined ? sql.fragment`true` : sql.fragment`d.id < ${before}`}
    order by d.id desc limit ${limit}`);
}

/** Writes down what came of one try. @param status of the answer; null where there was none */
export async function noteTry(
  { db }: Pick<Context, 'db'>,
  id: string,
  { status, error }: { readonly status: number | null; readonly error: string | null },
): Promise<void> {
  await db.query(sql.unsafe`
    update platform_deliveries set attempts = attempts + 1, status = ${status}, error = ${error},
      delivered_at = case when ${error === null} then now() end
    where id = ${id}`);
}

/**
 * Has a message delivered once more, under its id.
 *
 * @throws AppError `not_found` where it is none of this owner's, `state_conflict` while it is on its way.
 */
export async function replayDelivery(context: Context, owner: string, id: string): Promise<WebhookDelivery> {
  const delivery = await readDelivery(context, id);
  if (delivery?.owner !== owner)
    throw new AppError('not_found', `expected the id of one of your deliveries, got ${id}, which is none.`, {
      field: 'path.id',
    });
  const { count } = await context.db.one(sql.type(row(Type.Object({ count: Type.Integer() })))`
    with again as (
      update platform_deliveries d set replays = replays + 1, sender = null, delivered_at = null
      where d.id = ${id} and d.replays = ${delivery.replays} and ${delivery.state !== 'pending'} returning 1
    ) select count(*) as count from again`);
  if (count === 1) return (await readDelivery(context, id)) ?? delivery;
  throw new AppError('state_conflict', `expected a delivery that has ended, got ${id}, which is on its way.`);
}
