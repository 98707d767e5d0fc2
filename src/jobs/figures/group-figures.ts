import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { groupFragment as group, placeFragment as place } from '#src/jobs/model/feed.ts';
import { pacedAnswer } from '#src/lib/async/paced-answer.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Groups of a queue that are read by themselves: those with the most jobs. */
const MOST_GROUPS = 500;
/** Jobs of a group that are counted. */
export const MOST_COUNTED = 10_000;
/** Groups that are told apart; the others are counted together. */
export const MOST_SHOWN = 20;
/** Groups that metrics tell apart beside those, since their jobs wait longest. */
export const LONGEST_SHOWN = 10;

const figures = {
  /** Jobs that may run and wait, at most {@link MOST_COUNTED} of a group. */
  waiting: Type.Integer(),
  running: Type.Integer(),
  /** Seconds for which the one that waits longest has waited; 0 where none waits. */
  oldest: Type.Number(),
};
const Group = Type.Object({ group: Type.String(), ...figures });
const Found = Type.Object({ group: Type.Union([Type.String(), Type.Null()]), ...figures });

/** Figures of the jobs of one group in one queue. */
export type GroupFigures = Static<typeof Group>;

/** Figures of groups that are counted together. */
export type RestFigures = Omit<GroupFigures, 'group'>;

/** Groups of a queue, those with the most waiting jobs first, and all that are beside them together. */
export interface QueueGroups {
  readonly groups: readonly GroupFigures[];
  /** Null where there are none. */
  readonly others: RestFigures | null;
}

/** Pause behind figures of more groups, as a multiple of the time that they took: they cost a fiftieth of one process. */
const REST = 50;
/** Age of such figures at most, ms. */
const OLDEST_MS = 60_000;

const wideFigures = perContext((context: Context) => {
  const { db } = context;
  const byQueue = new Map<string, () => Promise<QueueGroups>>();
  return async (queue: string) => {
    let read = byQueue.get(queue);
    if (!read) {
      read = pacedAnswer({ rest: REST, longest: OLDEST_MS }, async () => await readGroups(db, queue, true));
      byQueue.set(queue, read);
    }
    return await read();
  };
});

/**
 * Reads the groups of a queue in which jobs wait or run: the 500 with the most waiting jobs, the ten that wait longest, and
 * the others together. Up to 500 groups it costs a look into an index for each group and each job that is counted. Beyond,
 * it costs a look at each job that waits, and is as old as that is dear: fifty times as old as it took to read, at most a
 * minute.
 */
export async function readGroupFigures(context: Context, queue: string): Promise<QueueGroups> {
  const { db } = context;
  const groups = await db.oneFirst(sql.type(countRow)`
    ${linesOf(queue)} select count(*)::int as count from (select from lines limit ${MOST_GROUPS + 1}) looked`);
  return groups > MOST_GROUPS ? await wideFigures(context)(queue) : await readGroups(db, queue, false);
}

const countRow = row(Type.Object({ count: Type.Integer() }));

const readyOf = (queue: string) =>
  sql.fragment`j.queue = ${queue} and j.state = 'queued' and j.feed = 'ready' and not j.held`;

/** Groups that stand in line, by versions of the queue: a look into the index for each. */
function linesOf(queue: string) {
  const ready = readyOf(queue);
  return sql.fragment`
    with recursive lines as (
      (select j.version, ${group} as name from jobs j where ${ready} order by 1, 2 limit 1)
      union all
      select n.* from lines l cross join lateral (
        select j.version, ${group} as name from jobs j where ${ready} and (j.version, ${group}) > (l.version, l.name) order by 1, 2 limit 1
      ) n
    )`;
}

/** @param isWide there are more groups than are read one by one */
async function readGroups(db: CommonQueryMethods, queue: string, isWide: boolean): Promise<QueueGroups> {
  const ready = readyOf(queue);
  // a time in the past makes no job older than it is
  const since = sql.fragment`greatest(j.run_at, j.queued_at)`;
  const few = sql.fragment`
    select l.name, counted.* from lines l cross join lateral (
      select count(*) as jobs, min(since) as since from (
        select ${since} as since from jobs j where ${ready} and j.version = l.version and ${group} = l.name
        order by ${place}, j.id limit ${MOST_COUNTED}
      ) first
    ) counted`;
  const all = sql.fragment`select ${group} as name, count(*) as jobs, min(${since}) as since from jobs j where ${ready} group by 1`;
  const rows = await db.any(sql.type(row(Found))`
    ${linesOf(queue)}, standing as (
      ${isWide ? all : few}
    ), fed as (
      select ${group} as name, count(*) as jobs, min(${since}) as since from jobs j
      where j.queue = ${queue} and j.state = 'queued' and j.feed = 'fed' and not j.held and j.run_at <= now() group by 1
    ), waiting as (
      select name, least(sum(jobs), ${MOST_COUNTED}) as jobs, min(since) as since from (select * from standing union all select * from fed) w
      group by name
    ), running as (
      select ${group} as name, count(*) as jobs from jobs j where j.queue = ${queue} and j.state = 'running' group by 1
    ), found as (
      select coalesce(w.name, r.name) as name, coalesce(w.jobs, 0) as waiting, coalesce(r.jobs, 0) as running,
        greatest(coalesce(extract(epoch from now() - w.since), 0), 0)::float8 as oldest
      from waiting w full join running r on r.name = w.name
    ), placed as materialized (
      select f.*, row_number() over (order by waiting desc, running desc, name) as place,
        row_number() over (order by oldest desc, name) as age
      from found f
    ), told as (
      select name, waiting, running, oldest, place from placed where place <= ${MOST_GROUPS} or age <= ${LONGEST_SHOWN}
      union all
      select null, sum(waiting), sum(running), max(oldest), null from placed
      where place > ${MOST_GROUPS} and age > ${LONGEST_SHOWN} having count(*) > 0
    )
    select name as "group", waiting::int8 as waiting, running::int8 as running, oldest from told order by place nulls last`);
  const groups = rows.flatMap(({ group: name, ...one }) => (name === null ? [] : [{ group: name, ...one }]));
  const others = rows.find((one) => one.group === null);
  return {
    groups,
    others: others ? { waiting: others.waiting, running: others.running, oldest: others.oldest } : null,
  };
}

/**
 * Tells the first groups apart, and of those behind them the ones that wait longest, at most `longest`; all others are
 * counted together under `rest`, null where there are none.
 */
export function topGroups<T extends GroupFigures>(
  groups: readonly T[],
  others: RestFigures | null,
  longest = 0,
): { readonly top: readonly T[]; readonly rest: RestFigures | null } {
  const behind = groups.slice(MOST_SHOWN).toSorted((one, other) => other.oldest - one.oldest);
  const together: RestFigures[] = [...behind.slice(longest), ...(others ? [others] : [])];
  const sum = (of: (one: RestFigures) => number) => together.reduce((total, one) => total + of(one), 0);
  const rest =
    together.length === 0
      ? null
      : {
          waiting: sum(({ waiting }) => waiting),
          running: sum(({ running }) => running),
          oldest: Math.max(...together.map(({ oldest }) => oldest)),
        };
  return { top: [...groups.slice(0, MOST_SHOWN), ...behind.slice(0, longest)], rest };
}
