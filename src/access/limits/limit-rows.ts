import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { LimitKind, LimitScope } from './limit-kinds.ts';

/** Limits that may be set: every process knows all of them. */
export const MOST_LIMITS = 10_000;

const Limit = Type.Object({
  kind: Type.Unsafe<LimitKind>({}),
  scope: Type.Unsafe<LimitScope>({}),
  /** Id of the key, the owner, the tier; empty for everybody. */
  subject: Type.String(),
  most: Type.Integer(),
  setBy: Type.String(),
  setAt: Type.Unsafe<Date>({}),
});
/** A limit as it was set. */
export type Limit = Static<typeof Limit>;
export type LimitName = Pick<Limit, 'kind' | 'scope' | 'subject'>;

const limitRow = row(Limit);
const columns = sql.fragment`kind, scope, subject, most::int8 as most, set_by as "setBy", set_at as "setAt"`;

/** Reads limits in the order of their names, those behind one where it is given. */
export async function readLimits(
  { db }: { readonly db: CommonQueryMethods },
  after: LimitName | null = null,
  most = MOST_LIMITS,
): Promise<readonly Limit[]> {
  const { kind, scope, subject } = after ?? { kind: '', scope: '', subject: '' };
  return await db.any(sql.type(limitRow)`
    select ${columns} from limits where (kind, scope, subject) > (${kind}, ${scope}, ${subject})
    order by kind, scope, subject limit ${most}`);
}

const ManyRow = row(Type.Object({ many: Type.Integer() }));

/**
 * Sets a limit, or changes the one of its name. Every process goes by it within two seconds.
 *
 * @throws AppError `quota_exceeded` beyond {@link MOST_LIMITS}
 */
export async function setLimit(context: Context, limit: LimitName & Pick<Limit, 'most' | 'setBy'>): Promise<Limit> {
  const { kind, scope, subject, most, setBy } = limit;
  const set = await context.db.transaction(async (tx) => {
    // one after the other: the bound is counted
    await tx.query(sql.unsafe`lock table limits in share row exclusive mode`);
    const many = await tx.oneFirst(sql.type(ManyRow)`
      select count(*)::int as many from limits where (kind, scope, subject) <> (${kind}, ${scope}, ${subject})`);
    if (many >= MOST_LIMITS)
      throw new AppError('quota_exceeded', `expected at most ${MOST_LIMITS} limits, got one more: remove one first.`, {
        limit: MOST_LIMITS,
      });
    return await tx.one(sql.type(limitRow)`
      insert into limits (kind, scope, subject, most, set_by) values (${kind}, ${scope}, ${subject}, ${most}, ${setBy})
      on conflict (kind, scope, subject) do update set most = excluded.most, set_by = excluded.set_by, set_at = now()
      returning ${columns}`);
  });
  context.log.info({ audit: 'limit.set', kind, scope, subject, most, by: setBy }, 'a limit was set');
  return set;
}

/** Removes a limit: the next one in the order of scopes holds. @throws AppError `not_found` */
export async function removeLimit(context: Context, { kind, scope, subject }: LimitName, by: string): Promise<void> {
  const gone = await context.db.query(sql.unsafe`
    delete from limits where kind = ${kind} and scope = ${scope} and subject = ${subject}`);
  if (gone.rowCount === 0)
    throw new AppError('not_found', `expected a limit that is set, got ${kind} of ${scope} ${subject}, which is not.`, {
      kind,
      scope,
      subject,
    });
  context.log.info({ audit: 'limit.removed', kind, scope, subject, by }, 'a limit was removed');
}
