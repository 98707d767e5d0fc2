import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Namespaces of one owner. */
export const MOST_NAMESPACES = 100;

const Namespace = Type.Object({
  name: Type.String(),
  createdAt: Type.Unsafe<Date>({}),
  /** Number of queues in it, whatever their versions. */
  queues: Type.Integer(),
});

/** A namespace as its owner sees it. */
export type Namespace = Static<typeof Namespace>;

const OwnerRow = row(Type.Object({ owner: Type.Union([Type.String(), Type.Null()]) }));
const CountRow = row(Type.Object({ count: Type.Integer() }));

/** Lists the namespaces of an owner, by name. */
export async function listNamespaces({ db }: Pick<Context, 'db'>, owner: string): Promise<readonly Namespace[]> {
  return await db.any(sql.type(row(Namespace))`
    select n.name, n.created_at as "createdAt",
      (select count(distinct q.name) from queues q where q.namespace = n.name) as queues
    from namespaces n where n.owner = ${owner} order by n.name`);
}

/** Reads the owner of a namespace; null where it has none, or is ours. */
export async function ownerOfNamespace({ db }: Pick<Context, 'db'>, namespace: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(OwnerRow)`select owner from namespaces where name = ${namespace}`);
}

/**
 * Gives a namespace that has no owner yet to an owner, and holds it until the transaction ends.
 *
 * @throws AppError `forbidden` where another owner has it, `quota_exceeded` where this one has {@link MOST_NAMESPACES}
 */
export async function takeNamespace(tx: CommonQueryMethods, namespace: string, owner: string): Promise<void> {
  const taken = await tx.query(
    sql.unsafe`insert into namespaces (name, owner) values (${namespace}, ${owner}) on conflict do nothing`,
  );
  const has = await tx.oneFirst(sql.type(OwnerRow)`select owner from namespaces where name = ${namespace} for update`);
  if (has !== owner)
    throw new AppError('forbidden', `expected a namespace of your own, got ${namespace}, which another owner has.`, {
      reason: 'namespace',
      namespace,
    });
  if (taken.rowCount === 1) await assertFew(tx, owner);
}

async function assertFew(tx: CommonQueryMethods, owner: string): Promise<void> {
  // two first registrations at once must not both find room for the last one
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`namespaces ${owner}`}, 0))`);
  const count = await tx.oneFirst(sql.type(CountRow)`
    select count(*)::int as count from namespaces where owner = ${owner}`);
  if (count <= MOST_NAMESPACES) return;
  throw new AppError('quota_exceeded', `expected at most ${MOST_NAMESPACES} namespaces of one owner, got one more.`, {
    limit: MOST_NAMESPACES,
  });
}
