import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { groupFragment as group, placeFragment as place } from '#src/jobs/model/feed.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Groups of a queue that are looked at; figures of more would cost more than they say. */
const MOST_GROUPS = 500;
/** Jobs of a group that are counted. */
export const MOST_COUNTED = 10_000;
/** Groups that are told apart; the others are counted together. */
export const MOST_SHOWN = 20;

const Group = Type.Object({
  group: Type.String(),
  /** Jobs that may run and wait, at most {@link MOST_COUNTED}. */
  waiting: Type.Integer(),
  running: Type.Integer(),
  /** Seconds for which the one that is next has waited; 0 where none waits. */
  oldest: Type.Number(),
});

/** Figures of the jobs of one group in one queue. */
export type GroupFigures = Static<typeof Group>;

/**
 * Reads the groups of a queue in which jobs wait or run, those with the most waiting jobs first, the 500 first by name at
 * most. Costs a look into an index for each group and each job that is counted.
 */
export async function readGroupFigures({ db }: Pick<Context, 'db'>, queue: string): Promise<readonly GroupFigures[]> {
  const ready = sql.fragment`j.queue = ${queue} and j.state = 'queued' and j.feed = 'ready' and not j.held`;
  return await db.any(sql.type(row(Group))`
    with recursive lines as (
      (select j.version, ${group} as name from jobs j where ${ready} order by 1, 2 limit 1)
      union all
      select n.* from lines l cross join lateral (
        select j.version, ${group} as name from jobs j where ${ready} and (j.version, ${group}) > (l.version, l.name) order by 1, 2 limit 1
      ) n
    ), standing as (
      select l.name, counted.* from (select * from lines limit ${MOST_GROUPS}) l cross join lateral (
        select count(*) as jobs, min(run_at) as since from (
          select j.run_at from jobs j where ${ready} and j.version = l.version and ${group} = l.name
          order by ${place}, j.id limit ${MOST_COUNTED}
        ) first
      ) counted
    ), fed as (
      select ${group} as name, count(*) as jobs, min(j.run_at) as since from jobs j
      where j.queue = ${queue} and j.state = 'queued' and j.feed = 'fed' and not j.held and j.run_at <= now() group by 1
    ), waiting as (
      select name, least(sum(jobs), ${MOST_COUNTED}) as jobs, min(since) as since from (select * from standing union all select * from fed) w
      group by name
    ), running as (
      select ${group} as name, count(*) as jobs from jobs j where j.queue = ${queue} and j.state = 'running' group by 1
    )
    select coalesce(w.name, r.name) as "group", coalesce(w.jobs, 0)::int as waiting, coalesce(r.jobs, 0)::int as running,
      greatest(coalesce(extract(epoch from now() - w.since), 0), 0)::float8 as oldest
    from waiting w full join running r on r.name = w.name
    order by waiting desc, running desc, 1 limit ${MOST_GROUPS}`);
}

/** The first groups by themselves, and all others together under `rest`; null where there are none. */
export function topGroups<T extends GroupFigures>(
  groups: readonly T[],
): {
  readonly top: readonly T[];
  readonly rest: Omit<GroupFigures, 'group'> | null;
} {
  const others = groups.slice(MOST_SHOWN);
  const sum = (of: (one: GroupFigures) => number) => others.reduce((total, one) => total + of(one), 0);
  const rest =
    others.length === 0
      ? null
      : {
          waiting: sum(({ waiting }) => waiting),
          running: sum(({ running }) => running),
          oldest: Math.max(...others.map(({ oldest }) => oldest)),
        };
  return { top: groups.slice(0, MOST_SHOWN), rest };
}
