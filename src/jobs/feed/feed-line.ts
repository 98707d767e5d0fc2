import type { Client } from 'pg';
import { openBroker } from '#src/jobs/broker/broker.ts';
import type { Dispatched, Versioned } from '#src/jobs/broker/broker-names.ts';
import { writeWindow } from '#src/jobs/broker/read-carried.ts';
import { groupOf, placeInGroup } from '#src/jobs/model/feed.ts';
import type { Context } from '#src/system/context.ts';
import type { QueueRules } from './rules.ts';
import { type Group, interleave, openShares } from './shares.ts';

/** Groups that one pass looks at; where there are more, the next begins behind them. */
const MOST_GROUPS = 1_000;
/** Until then a queue with a line is known to have one, ms: a pass says it anew. */
const LINE_MS = 2_000;
/** A window that was found empty gets wider, up to so many times its width. */
const MOST_STRETCH = 16;

const inLine = `j.queue = $1 and j.version = $2 and j.state = 'queued' and j.feed = 'ready' and not j.held`;

const windowByGroup = {
  name: 'window-by-group',
  text: `
    select ${groupOf} as "group", count(*)::int as jobs from jobs j
    where j.queue = $1 and j.version = $2 and j.state = 'queued' and j.feed = 'fed' and not j.held group by 1`,
};

const runningByGroup = {
  name: 'running-by-group',
  text: `
    select ${groupOf} as "group", count(*)::int as jobs from jobs j where j.queue = $1 and j.state = 'running' group by 1`,
};

/** One look into the index for each group, however many jobs it has. */
const groupsInLine = {
  name: 'groups-in-line',
  text: `
    with recursive found as (
      (select ${groupOf} as name from jobs j where ${inLine} and ${groupOf} > $3 order by 1 limit 1)
      union all
      select (select ${groupOf} from jobs j where ${inLine} and ${groupOf} > f.name order by 1 limit 1)
      from found f where f.name is not null
    )
    select name from found where name is not null limit $4`,
};

/** Takes the first of each group from the line. */
const feedGroups = {
  name: 'feed-groups',
  text: `
    with given as (
      select * from unnest($3::text[], $4::int4[]) as g (name, most)
    ), picked as materialized (
      select first.* from given g cross join lateral (
        select j.id, ${placeInGroup} as place from jobs j where ${inLine} and ${groupOf} = g.name and j.owner <> all($5::text[])
        order by ${placeInGroup}, j.id limit g.most for update skip locked
      ) first
    )
    update jobs j set feed = 'fed' from picked p where j.id = p.id
    returning j.id, j.queue, j.version, j.owner, j.dispatch, j.priority, j.suspect, j.feed, j.run_at as "runAt", now() as "queuedAt",
      ${groupOf} as "group", extract(epoch from p.place)::float8 as place`,
};

/** Session in which these statements look into their indexes, whatever the statistics say of a line that was empty. */
export const feedSession = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = on';

interface ByGroup {
  readonly group: string;
  readonly jobs: number;
}

type Chosen = Dispatched & { readonly group: string; readonly place: number };

/** Feeding of one line, from pass to pass. */
export interface LineFeed {
  /** One pass: fills the window from the line. Answers whether jobs still stand in line. */
  readonly pass: (rules: QueueRules, capacity: number) => Promise<boolean>;
}

/** Feeds the window of one version of a queue from the jobs that stand in line for it, group by group. */
export function openLineFeed(context: Context, client: Client, line: Versioned): LineFeed {
  const { queue, version } = line;
  const own = { ...line, suspect: false };
  const share = openShares();
  let cursor = '';
  let stretch = 1;

  /** The groups of this pass, in a circle over all of them. */
  const nextGroups = async (): Promise<readonly string[]> => {
    const read = async (after: string, most: number) => {
      const { rows } = await client.query<{ name: string }>({
        ...groupsInLine,
        values: [queue, version, after, most],
      });
      return rows.map(({ name }) => name);
    };
    const names = await read(cursor, MOST_GROUPS);
    const isWhole = cursor === '';
    const more = names.length < MOST_GROUPS && !isWhole ? await read('', MOST_GROUPS - names.length) : [];
    const all = [...new Set([...names, ...more])];
    // with few enough groups every pass has all of them
    cursor = all.length < MOST_GROUPS ? '' : all.at(-1)!;
    return all;
  };

  const countBy = async (statement: typeof windowByGroup, values: unknown[]) => {
    const { rows } = await client.query<ByGroup>({ ...statement, values });
    return new Map(rows.map(({ group, jobs }) => [group, jobs]));
  };

  const pass = async (rules: QueueRules, capacity: number): Promise<boolean> => {
    const window = await countBy(windowByGroup, [queue, version]);
    const carried = [...window.values()].reduce((sum, jobs) => sum + jobs, 0);
    const width = Math.max(64, 2 * capacity);
    stretch = carried < width / 8 ? Math.min(stretch * 2, MOST_STRETCH) : Math.max(1, stretch * 0.98);
    const most = Math.round(width * stretch);
    await writeWindow(context, own, { most, lineUntil: Date.now() + LINE_MS });
    const names = await nextGroups();
    if (names.length === 0) {
      await writeWindow(context, own, { lineUntil: null });
      return false;
    }
    const running = rules.limits ? await countBy(runningByGroup, [queue]) : new Map<string, number>();
    const ran = [...running.values()].reduce((sum, jobs) => sum + jobs, 0);
    const places = Math.min(most - carried, (rules.concurrency ?? Infinity) - ran - carried);
    if (places <= 0) return true;
    const groups = names.flatMap((name): Group[] => {
      if (rules.isPaused(name)) return [];
      const bound = rules.concurrencyOf(name);
      const weight = rules.weightOf(name);
      if (bound === null) return [{ name, weight }];
      const free = bound - (running.get(name) ?? 0) - (window.get(name) ?? 0);
      return free > 0 ? [{ name, weight, most: free }] : [];
    });
    if (groups.length === 0) return true;
    const shares = share(groups, places);
    const { rows } = await client.query<Chosen>({
      ...feedGroups,
      values: [queue, version, [...shares.keys()], [...shares.values()], rules.barredOwners],
    });
    const inOrder = interleave(
      rows.toSorted((one, other) => one.place - other.place),
      rules.weightOf,
    );
    const broker = openBroker(context);
    // a group that has nothing in the window goes before those that have: it would wait behind all of them
    await broker.feed(
      inOrder.filter(({ group }) => !window.has(group)),
      true,
    );
    await broker.feed(
      inOrder.filter(({ group }) => window.has(group)),
      false,
    );
    return true;
  };

  return { pass };
}
