import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Format } from './event-types.ts';

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.Unsafe<Date>({});

const Endpoint = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  title: Type.String(),
  format: Type.Unsafe<Format>({}),
  /** `https://…`, or `mailto:…`. */
  url: Type.String(),
  events: Type.Array(Type.String()),
  queues: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  symbols: Type.Array(Type.String()),
  /** True: events of all owners, while its maker is an operator. */
  everyOwner: Type.Boolean(),
  /** False: made for webhooks of single jobs, without a filter. */
  listed: Type.Boolean(),
  secretVersion: Type.Integer(),
  /** End of the secret before; null where there is none. */
  previousUntil: nullable(Instant),
  enabled: Type.Boolean(),
  disabledWhy: nullable(Type.String()),
  failingSince: nullable(Instant),
  /** Failures since the newest success. */
  failures: Type.Integer(),
  notBefore: nullable(Instant),
  madeBy: Type.String(),
  createdAt: Instant,
  changedAt: Instant,
});
/** Address that is notified of events. */
export type Endpoint = Static<typeof Endpoint>;

export const endpointRow = row(Endpoint);

/** Columns of an {@link Endpoint}, of a table called `p`. */
export const endpointColumns = sql.fragment`
  p.id, p.owner, p.title, p.format, p.url, p.events, p.queues, p.groups, p.symbols, p.every_owner as "everyOwner",
  p.listed, p.secret_version as "secretVersion", p.previous_until as "previousUntil", p.enabled,
  p.disabled_why as "disabledWhy", p.failing_since as "failingSince", p.failures, p.not_before as "notBefore",
  p.made_by as "madeBy", p.created_at as "createdAt", p.changed_at as "changedAt"`;

type Db = { readonly db: CommonQueryMethods };

/** An endpoint by its id, of any owner. */
export async function readEndpoint({ db }: Db, id: string): Promise<Endpoint | null> {
  return await db.maybeOne(
    sql.type(endpointRow)`select ${endpointColumns} from webhook_endpoints p where p.id = ${id}`,
  );
}

/** Endpoints of an owner, oldest first; single jobs' are left out. */
export async function listEndpoints({ db }: Db, owner: string): Promise<readonly Endpoint[]> {
  return await db.any(sql.type(endpointRow)`
    select ${endpointColumns} from webhook_endpoints p where p.owner = ${owner} and p.listed order by p.id`);
}

/**
 * The endpoint of this id and owner.
 *
 * @throws AppError `not_found` for one that is not there, and for one of another owner
 */
export async function ownEndpoint(db: Db, owner: string, id: string, field = 'path.id'): Promise<Endpoint> {
  const endpoint = await readEndpoint(db, id);
  if (endpoint?.owner === owner && endpoint.listed) return endpoint;
  throw new AppError(
    'not_found',
    `expected the id of one of your endpoints (GET /v1/webhook-endpoints lists them), got ${id}, which is none.`,
    { field, value: id },
  );
}
