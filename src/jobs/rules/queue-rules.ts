import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Rules of one queue. */
const MOST_RULES = 1_000;

export const ruleKinds = ['queue', 'group', 'owner', 'key'] as const;

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const Stored = Type.Object({
  queue: Type.String(),
  kind: Type.Enum([...ruleKinds]),
  /** Empty for a queue; `*` for each group, owner or key that has no rule of its own. */
  name: Type.String(),
  weight: nullable(Type.Number()),
  concurrency: nullable(Type.Integer()),
  rate: nullable(Type.Integer()),
  rateMs: nullable(Type.Integer()),
  paused: Type.Boolean(),
  reason: nullable(Type.String()),
  changedBy: Type.String(),
  changedAt: Type.Unsafe<Date>({}),
});

/** Weight, limits and pause of a queue, of a group, of an owner or of a key that submits. */
export type StoredRule = Static<typeof Stored>;

/** A rule as it is to be; it replaces the one that is there. */
export type WantedRule = Omit<StoredRule, 'changedAt'>;

const columns = sql.fragment`
  queue, kind, name, weight::float8 as weight, concurrency, rate, rate_ms as "rateMs", paused, reason, changed_by as "changedBy", changed_at as "changedAt"`;

/** The rules of a queue: of the queue itself, then of groups and of owners, by name. */
export async function listRules({ db }: Pick<Context, 'db'>, queue: string): Promise<readonly StoredRule[]> {
  return await db.any(sql.type(row(Stored))`
    select ${columns} from queue_rules where queue = ${queue}
    order by array_position(array['queue', 'group', 'owner', 'key'], kind), name`);
}

/**
 * Writes a rule. The feeder goes by it within a second, and every claim from now on.
 *
 * @throws AppError `quota_exceeded` where the queue has too many
 */
export async function putRule(context: Context, rule: WantedRule): Promise<StoredRule> {
  const { queue, kind, name, weight, concurrency, rate, rateMs, paused, reason, changedBy } = rule;
  const stored = await context.db.maybeOne(sql.type(row(Stored))`
    insert into queue_rules as r (queue, kind, name, weight, concurrency, rate, rate_ms, paused, reason, changed_by)
    select ${queue}, ${kind}, ${name}, ${weight}, ${concurrency}, ${rate}, ${rateMs}, ${paused}, ${reason}, ${changedBy}
    where exists (select from queue_rules where queue = ${queue} and kind = ${kind} and name = ${name})
      or (select count(*) from queue_rules where queue = ${queue}) < ${MOST_RULES}
    on conflict (queue, kind, name) do update set weight = excluded.weight, concurrency = excluded.concurrency,
      rate = excluded.rate, rate_ms = excluded.rate_ms, paused = excluded.paused, reason = excluded.reason,
      changed_by = excluded.changed_by, changed_at = now()
    returning ${columns}`);
  if (!stored)
    throw new AppError('quota_exceeded', `expected at most ${MOST_RULES} rules of ${queue}, got one more.`, {
      limit: MOST_RULES,
    });
  context.log.warn({ audit: 'queue.rule', rule: stored }, 'a rule of a queue was written');
  return stored;
}

/** Takes a rule away. @throws AppError `not_found` */
export async function removeRule(
  { db, log }: Context,
  { queue, kind, name }: Pick<StoredRule, 'queue' | 'kind' | 'name'>,
  by: string,
): Promise<void> {
  const { rowCount } = await db.query(sql.unsafe`
    delete from queue_rules where queue = ${queue} and kind = ${kind} and name = ${name}`);
  if (rowCount === 0)
    throw new AppError('not_found', `${queue} has no rule of the ${kind}${name === '' ? '' : ` "${name}"`}.`, {});
  log.warn({ audit: 'queue.rule', queue, kind, name, by }, 'a rule of a queue was taken away');
}
