import type { Client } from 'pg';
import type { Dispatched, Versioned } from '#src/jobs/broker/broker-names.ts';
import { groupOf, placeInGroup } from '#src/jobs/model/feed.ts';
import type { Barred, Bound, Places } from './places.ts';

/** Jobs that may not be fed, and that a look past the first ones of groups goes past, of all groups together. */
const MOST_PASSED = 5_000;
/** The same among the first ones of a group. */
const FEW_PASSED = 20;
/** A group all of whose jobs are barred is looked through again after three times as long as that took, ms. */
const LEAST_REST_MS = 250;
const MOST_REST_MS = 10_000;

/** SQL of the jobs `j` that stand in one line. */
export const inLine = `j.queue = $1 and j.version = $2 and j.state = 'queued' and j.feed = 'ready' and not j.held`;

/**
 * SQL of a job in line as it is fed. Most of what is looked at is read again by look after look, so it is read as arrays
 * without what is known, and without dates, which the driver reads slowest.
 */
export const lineColumns = `
  j.id, j.owner, j.key_id::text as key, j.dispatch, j.priority, j.suspect, date_part('epoch', j.run_at - now()) * 1000 as delay`;

export type LineRow<More extends readonly unknown[] = []> = readonly [
  id: string,
  owner: string,
  key: string | null,
  dispatch: number,
  priority: number,
  suspect: boolean,
  /** Milliseconds until it may run, by the clock of Postgres; below 0 where it may. */
  delayMs: number,
  ...more: More,
];

/** The job that such a row is, read at that moment of this machine. */
export function foundOf({ queue, version }: Versioned, row: LineRow<unknown[]>, group: string, queuedAt: Date): Found {
  const [id, owner, key, dispatch, priority, suspect, delayMs] = row;
  const runAt = new Date(queuedAt.getTime() + delayMs);
  return { id, queue, version, owner, key, dispatch, priority, suspect, feed: 'fed', runAt, queuedAt, group };
}

/** The first of each group, those that are in the window already among them. */
const firstOfGroups = {
  name: 'first-of-groups',
  rowMode: 'array' as const,
  text: `
    select first.*, g.place::int4 from unnest($3::text[], $4::int4[]) with ordinality as g (name, most, place) cross join lateral (
      select ${lineColumns} from jobs j where ${inLine} and ${groupOf} = g.name
      order by ${placeInGroup}, j.id limit g.most
    ) first`,
};

/**
 * The same from a place on, where rules bar the jobs of some owners or keys. A look goes past so many of those; where it
 * ends with one of them, that one is answered as well, and the next begins behind it.
 */
const firstPastBarred = {
  name: 'first-past-barred',
  rowMode: 'array' as const,
  text: `
    select seen.id, seen.owner, seen.key, seen.dispatch, seen.priority, seen.suspect, seen.delay, g.name, g.deep, seen.barred, seen.place
    from unnest($3::text[], $4::int4[], $5::int4[], $6::bool[], $7::text[], $8::uuid[]) as g (name, most, passed, deep, place, last)
    cross join lateral (
      select * from (
        select ${lineColumns}, ${placeInGroup}::text as place, row_number() over (order by ${placeInGroup}, j.id) as nth,
          (j.owner = any($9::text[])) <> $10::bool or (coalesce(j.key_id::text, '') = any($11::text[])) <> $12::bool as barred
        from jobs j where ${inLine} and ${groupOf} = g.name and (${placeInGroup}, j.id) > (g.place::interval, g.last)
        order by ${placeInGroup}, j.id limit g.most + g.passed
      ) looked
      where not barred or nth = g.most + g.passed order by nth limit g.most
    ) seen`,
};

/** A job that stands in line. */
export type Found = Dispatched & Bound & { readonly group: string };

type PastMore = readonly [group: string, deep: boolean, barred: boolean, place: string];
type PastRow = LineRow<[...PastMore]>;
type Seen = Found & { readonly barred: boolean; readonly deep: boolean; readonly place: string };

interface Walk {
  readonly place: string;
  readonly id: string;
  /** performance.now() */
  readonly since: number;
}

/** Looks at the groups of one line. */
export interface Looks {
  /**
   * Reads the first jobs of groups that may be fed, as many as `most` says of each at most, with those that are in the
   * window. Of a group that begins with very many that may not, those behind them come after some looks.
   */
  readonly look: (
    names: readonly string[],
    most: readonly number[],
    barred: Places['barred'],
  ) => Promise<ReadonlyMap<string, readonly Found[]>>;
  /** Tells which groups are left alone for a moment: all of their jobs were found barred, by the same rules. */
  readonly resting: (barred: Places['barred']) => (name: string) => boolean;
}

const first: Omit<Walk, 'since'> = { place: '-1000000 days', id: '00000000-0000-0000-0000-000000000000' };

/** Opens the looks of one line, which remember how far they went past jobs that may not be fed. */
export function openLooks(client: Client, line: Versioned): Looks {
  const { queue, version } = line;
  const walks = new Map<string, Walk>();
  const resting = new Map<string, number>();
  let barredBefore = '';

  /** Goes on with the walk of a group by what was seen of it. Answers the jobs that may be fed. */
  const goOn = (name: string, seen: readonly Seen[]): readonly Found[] => {
    const now = performance.now();
    const walk = walks.get(name);
    const [behind, ahead] = [seen.filter(({ deep }) => deep), seen.filter(({ deep }) => !deep)];
    const free = ahead.filter(({ barred }) => !barred);
    if (free.length > 0) return free;
    const last = (walk ? behind : ahead).at(-1);
    const found = behind.filter(({ barred }) => !barred);
    if (last?.barred && found.length === 0)
      walks.set(name, { place: last.place, id: last.id, since: walk?.since ?? now });
    else {
      walks.delete(name);
      const tookMs = now - (walk?.since ?? now);
      if (found.length === 0) resting.set(name, now + Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, 3 * tookMs)));
    }
    return found;
  };

  const lookPast = async (
    names: readonly string[],
    most: readonly number[],
    { owners, keys }: NonNullable<Places['barred']>,
  ): Promise<ReadonlyMap<string, readonly Found[]>> => {
    const mostOf = new Map(names.map((name, index) => [name, most[index]!]));
    const walking = names.flatMap((name) => {
      const walk = walks.get(name);
      return walk ? [{ name, walk }] : [];
    });
    const passed = Math.max(FEW_PASSED, Math.floor(MOST_PASSED / Math.max(1, walking.length)));
    const all = [
      ...names.map((name) => ({ name, passed: FEW_PASSED, deep: false, from: first })),
      ...walking.map(({ name, walk }) => ({ name, passed, deep: true, from: walk })),
    ];
    const by = ({ names: of, only }: Barred) => [of, only];
    const values = [
      queue,
      version,
      all.map(({ name }) => name),
      all.map(({ name }) => mostOf.get(name)),
      all.map((one) => one.passed),
      all.map(({ deep }) => deep),
      all.map(({ from }) => from.place),
      all.map(({ from }) => from.id),
      ...by(owners),
      ...by(keys),
    ];
    const { rows } = await client.query<PastRow>({ ...firstPastBarred, values });
    const now = new Date();
    const jobs = rows.map((row): Seen => {
      const [group, deep, barred, place] = row.slice(7) as unknown as PastMore;
      return { ...foundOf(line, row, group, now), deep, barred, place };
    });
    const seen = Map.groupBy(jobs, (job) => job.group);
    return new Map(names.map((name) => [name, goOn(name, seen.get(name) ?? [])]));
  };

  return {
    look: async (names, most, barred) => {
      if (barred) return await lookPast(names, most, barred);
      walks.clear();
      const values = [queue, version, names, most];
      const { rows } = await client.query<LineRow<[place: number]>>({ ...firstOfGroups, values });
      const now = new Date();
      const found = rows.map((row) => foundOf(line, row, names[row[7] - 1]!, now));
      return Map.groupBy(found, (job) => job.group);
    },
    resting: (barred) => {
      const text = JSON.stringify(barred);
      if (text !== barredBefore) resting.clear();
      barredBefore = text;
      const now = performance.now();
      for (const [name, until] of resting) if (until <= now) resting.delete(name);
      return (name) => resting.has(name);
    },
  };
}
