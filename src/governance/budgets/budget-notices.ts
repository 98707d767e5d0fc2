import { type CommonQueryMethods, type FragmentSqlToken, sql } from 'slonik';

/** Percent of a budget at which its owner is notified, once a budget. */
const thresholds = [80, 100];

/**
 * Writes the notices of budgets that are used to a threshold, by what is spent and reserved. A budget of a month is
 * another one in the next. Those of single jobs are left out.
 */
export async function noteBudgets({ db }: { readonly db: CommonQueryMethods }): Promise<void> {
  await write(db, sql.fragment`(b.reserved + b.spent) * 100 >= b.ceiling * t.percent`);
}

/** Writes the notice of a budget that could not hold what was wanted of it: as good as used up. */
export async function noteFullBudget({ db }: { readonly db: CommonQueryMethods }, id: string): Promise<void> {
  await write(db, sql.fragment`b.id = ${id}`);
}

async function write(db: CommonQueryMethods, isReached: FragmentSqlToken): Promise<void> {
  await db.query(sql.unsafe`
    insert into notices (owner, key, type, data)
    select f.owner, 'budget:' || b.id || ':' || t.percent, 'budget.' || t.percent, jsonb_build_object('budget', b.id,
      'percent', t.percent, 'ceiling_usd', b.ceiling / 1e6, 'spent_usd', b.spent / 1e6, 'reserved_usd', b.reserved / 1e6)
    from budgets b cross join unnest(${sql.array(thresholds, 'int4')}) as t (percent)
    cross join lateral (select coalesce(
      substring(b.id from '^owner:(.*):[0-9]{4}-[0-9]{2}$'),
      substring(b.id from '^queue:(.*):[a-z0-9-]+[.][a-z0-9-]+:[0-9]{4}-[0-9]{2}$'),
      (select k.owner from keys k where k.id = substring(b.id from '^key:([0-9a-f-]{36}):[0-9]{4}-[0-9]{2}$')::uuid),
      (select m.owner from missions m where m.id = substring(b.id from '^mission:([0-9a-f-]{36})$')::uuid)
    ) as owner) f
    where b.ceiling > 0 and f.owner is not null and ${isReached}
      and not exists (select from notices n where n.owner = f.owner and n.key = 'budget:' || b.id || ':' || t.percent)
    on conflict do nothing`);
}
