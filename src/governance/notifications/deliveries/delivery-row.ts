import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { row } from '#src/system/postgres/postgres.ts';

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.Unsafe<Date>({});

/** `pending` waits for its next attempt, `sending` is under way; the others are over. */
export const deliveryStates = ['pending', 'sending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const Delivery = Type.Object({
  id: Type.String(),
  endpoint: Type.String(),
  owner: Type.String(),
  type: Type.String(),
  /** JSON text, the same at every attempt. */
  body: Type.String(),
  state: Type.Unsafe<DeliveryState>({}),
  /** Rises whenever it is handed to a job. */
  dispatch: Type.Integer(),
  attempts: Type.Integer(),
  replays: Type.Integer(),
  nextAt: Instant,
  /** Until then its endpoint gets nothing; null where it does not rest. */
  restsUntil: nullable(Instant),
  giveUpAt: Instant,
  status: nullable(Type.Integer()),
  error: nullable(Type.String()),
  tookMs: nullable(Type.Integer()),
  createdAt: Instant,
  attemptedAt: nullable(Instant),
  deliveredAt: nullable(Instant),
});
/** One event for one endpoint. */
export type Delivery = Static<typeof Delivery>;
export const deliveryRow = row(Delivery);

/** Columns of a {@link Delivery}, of a table called `d`. */
export const deliveryColumns = sql.fragment`
  d.id, d.endpoint, d.owner, d.type, d.body, d.state, d.dispatch, d.attempts, d.replays, d.next_at as "nextAt",
  (select p.not_before from webhook_endpoints p where p.id = d.endpoint and p.not_before > now()) as "restsUntil",
  d.give_up_at as "giveUpAt", d.status, d.error, d.took_ms as "tookMs", d.created_at as "createdAt",
  d.attempted_at as "attemptedAt", d.delivered_at as "deliveredAt"`;

type Db = { readonly db: CommonQueryMethods };

export async function readDelivery({ db }: Db, id: string): Promise<Delivery | null> {
  return await db.maybeOne(
    sql.type(deliveryRow)`select ${deliveryColumns} from webhook_deliveries d where d.id = ${id}`,
  );
}

/** The delivery of this id and owner. @throws AppError `not_found` */
export async function ownDelivery(db: Db, owner: string, id: string): Promise<Delivery> {
  const delivery = await readDelivery(db, id);
  if (delivery?.owner === owner) return delivery;
  throw new AppError('not_found', `expected the id of one of your deliveries, got ${id}, which is none.`, {
    field: 'path.id',
    value: id,
  });
}

export interface DeliveryFilter {
  readonly owner: string;
  readonly endpoint?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** Only older ones than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Deliveries of an owner, newest first. */
export async function listDeliveries(
  { db }: Db,
  { owner, endpoint, state, before, limit }: DeliveryFilter,
): Promise<readonly Delivery[]> {
  return await db.any(sql.type(deliveryRow)`
    select ${deliveryColumns} from webhook_deliveries d where d.owner = ${owner}
      and ${endpoint === undefined ? sql.fragment`true` : sql.fragment`d.endpoint = ${endpoint}`}
      and ${state === undefined ? sql.fragment`true` : sql.fragment`d.state = ${state}`}
      and ${before === undefined ? sql.fragment`true` : sql.fragment`d.id < ${before}`}
    order by d.id desc limit ${limit}`);
}
