import type { Client } from 'pg';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { brokerId, type Delivery, type Dispatched, type Versioned } from '#src/jobs/broker/broker-names.ts';
import { carriedDelivery } from '#src/jobs/broker/carriers.ts';
import { readCarried, readWindow, writeWindow } from '#src/jobs/broker/read-carried.ts';
import { groupOf, placeInGroup } from '#src/jobs/model/feed.ts';
import type { Context } from '#src/system/context.ts';
import { openLane } from './open-lane.ts';
import type { QueueRules, Rule } from './rules.ts';
import { type Group, interleave, openShares } from './shares.ts';

/** Groups that one pass looks at; where there are more, the next begins behind them. */
const MOST_GROUPS = 1_000;
/** Until then a queue with a line is known to have one, ms: a pass says it anew. */
const LINE_MS = 2_000;
/** A window that was found nearly empty gets wider, up to so many times its width. */
const MOST_STRETCH = 16;
/** Narrowest window: a queue whose worker has one hand must not wait for the feeder after each job. */
const NARROWEST = 64;
/** Groups with so few jobs in the window are looked at in every pass: how many of them still wait? */
const FEW = 16;
/** A group with less in the window than this share of what is due to it there goes before the others. */
const QUIET = 1 / 8;
/** Time after which what is remembered of the window is compared with what the broker has, ms. */
const COMPARE_MS = 1_000;

const inLine = `j.queue = $1 and j.version = $2 and j.state = 'queued' and j.feed = 'ready' and not j.held`;

const runningByGroup = {
  name: 'running-by-group',
  text: `
    select ${groupOf} as "group", count(*)::int as jobs from jobs j where j.queue = $1 and j.state = 'running' group by 1`,
};

/** Claims that have been spent of rates, by group; of the queue as a whole under ''. */
const spentByGroup = {
  name: 'spent-by-group',
  text: `
    select name as "group", tokens, extract(epoch from clock_timestamp() - at)::float8 * 1000 as "agoMs" from rate_buckets
    where queue = $1 and kind in ('group', 'queue')`,
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

/** The first of each group, those that are in the window already among them. */
const firstOfGroups = {
  name: 'first-of-groups',
  text: `
    select first.*, g.name as "group" from unnest($3::text[], $4::int4[]) as g (name, most) cross join lateral (
      select j.id, j.queue, j.version, j.owner, j.dispatch, j.priority, j.suspect, 'fed' as feed, j.run_at as "runAt",
        now() as "queuedAt"
      from jobs j where ${inLine} and ${groupOf} = g.name and j.owner <> all($5::text[])
      order by ${placeInGroup}, j.id limit g.most
    ) first`,
};

/** Deliveries that still wait, of some. */
const stillWaiting = {
  name: 'still-waiting',
  text: `select j.id, j.dispatch from jobs j where j.id = any($1::uuid[]) and j.state = 'queued'`,
};

/** Session in which these statements look into their indexes, whatever the statistics say of a line that was empty. */
export const feedSession = 'set enable_seqscan = off; set enable_bitmapscan = off';

interface Spent {
  readonly group: string;
  /** Claims that were left, so many ms ago. */
  readonly tokens: number;
  readonly agoMs: number;
}

/** Claims that a rule allows beside what runs. The claim decides: this only spares it what it would refuse. */
function leftBy(rule: Rule | undefined, running: number, spent: Spent | undefined): number {
  if (!rule) return Infinity;
  if (rule.paused) return 0;
  const { concurrency, rate, rateMs } = rule;
  const places = concurrency === null ? Infinity : concurrency - running;
  if (rate === null || rateMs === null) return places;
  const tokens = spent ? Math.min(rate, spent.tokens + (spent.agoMs * rate) / rateMs) : rate;
  return Math.min(places, Math.floor(tokens));
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0);

/** Shares of groups that go before the others: what is left to each, together no more than `places`. */
function asQuiet(
  groups: readonly Group[],
  quiet: ReadonlyMap<string, number>,
  places: number,
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  let left = places;
  for (const { name, most = Infinity } of groups) {
    const own = Math.max(0, Math.min(quiet.get(name) ?? 0, most, left));
    shares.set(name, own);
    left -= own;
  }
  return shares;
}

type Chosen = Dispatched & { readonly group: string };

/** Feeding of one line, from pass to pass. */
export interface LineFeed {
  /** Feeds the window from the line, where there is room or a group that has next to nothing in it. */
  readonly pass: (rules: QueueRules, capacity: number) => Promise<void>;
}

/**
 * Feeds the window of one version of a queue from the jobs that stand in line for it, group by group. A job stays in
 * line until it is claimed; what of it is in the window is remembered here, and compared with the broker now and again.
 * Forgotten with this process, it is fed twice, and claimed once.
 */
export function openLineFeed(context: Context, client: Client, line: Versioned): LineFeed {
  const { queue, version } = line;
  const own = { ...line, suspect: false };
  const share = openShares();
  const sayLane = openLane(context, line);
  /** Deliveries in the window that came from the line, by group. */
  const inWindow = new Map<string, Set<string>>();
  let comparedAt = performance.now();
  let cursor = '';
  let stretch = 1;

  /** The groups of this pass, in a circle over all of them. */
  const nextGroups = async (): Promise<readonly string[]> => {
    const read = async (after: string, most: number) => {
      const values = [queue, version, after, most];
      const { rows } = await client.query<{ name: string }>({ ...groupsInLine, values });
      return rows.map(({ name }) => name);
    };
    const names = await read(cursor, MOST_GROUPS);
    const rest = cursor !== '' && names.length < MOST_GROUPS ? await read('', MOST_GROUPS - names.length) : [];
    const all = [...new Set([...names, ...rest])];
    // with few enough groups every pass has all of them
    cursor = all.length < MOST_GROUPS ? '' : all.at(-1)!;
    return all;
  };

  /** Forgets what the broker no longer has: lost with it, it would stand in line for ever. */
  const compare = async () => {
    if (performance.now() - comparedAt < COMPARE_MS) return;
    const carried = await Promise.all([readCarried(context, own), readCarried(context, { ...own, suspect: true })]);
    const known = new Set(carried.flat().flatMap(({ jobs }) => jobs));
    for (const [group, jobs] of inWindow) {
      const still = new Set([...jobs].filter((job) => known.has(job)));
      if (still.size > 0) inWindow.set(group, still);
      else inWindow.delete(group);
    }
    comparedAt = performance.now();
  };

  /** Forgets what of small groups was claimed meanwhile: their next job goes before those of others. */
  const prune = async () => {
    const small = [...inWindow].filter(([, jobs]) => jobs.size <= FEW);
    const ids = small.flatMap(([, jobs]) => [...jobs].map((job) => carriedDelivery(job).id));
    if (ids.length === 0) return;
    const { rows } = await client.query<Delivery>({ ...stillWaiting, values: [ids] });
    const waiting = new Set(rows.map(brokerId));
    for (const [group, jobs] of small) {
      const still = new Set([...jobs].filter((job) => waiting.has(job)));
      if (still.size > 0) inWindow.set(group, still);
      else inWindow.delete(group);
    }
  };

  const sizeOf = (group: string) => inWindow.get(group)?.size ?? 0;

  /** Groups that may be fed, each with the places that its limits leave it; and the places that those of the queue leave. */
  const feedable = async (names: readonly string[], rules: QueueRules): Promise<[readonly Group[], number]> => {
    if (!rules.limits) return [names.map((name) => ({ name, weight: rules.weightOf(name) })), Infinity];
    const { rows: ran } = await client.query<{ group: string; jobs: number }>({ ...runningByGroup, values: [queue] });
    const { rows: spent } = await client.query<Spent>({ ...spentByGroup, values: [queue] });
    const running = new Map(ran.map(({ group, jobs }) => [group, jobs]));
    const buckets = new Map(spent.map((bucket) => [bucket.group, bucket]));
    const groups = names.flatMap((name): Group[] => {
      const most = leftBy(rules.ruleOf(name), running.get(name) ?? 0, buckets.get(name)) - sizeOf(name);
      return most <= 0 ? [] : [{ name, weight: rules.weightOf(name), most }];
    });
    const all = ran.reduce((sum, { jobs }) => sum + jobs, 0);
    const fed = [...inWindow.values()].reduce((sum, { size }) => sum + size, 0);
    return [groups, leftBy(rules.whole, all, buckets.get('')) - fed];
  };

  /**
   * Places up to which a group goes before the others, by name: far fewer than its weight gives it in a window of `most`,
   * so that who has little to do does not wait behind all that others have there. None where a whole window
   * holds less than one job of each: then all wait their turn.
   */
  const quietPlaces = (names: readonly string[], rules: QueueRules, most: number): ReadonlyMap<string, number> => {
    const all = sum(names.map(rules.weightOf));
    return new Map(
      names.flatMap((name) => {
        const due = (most * rules.weightOf(name)) / all;
        const places = due < 1 ? 0 : Math.max(1, Math.min(FEW, Math.floor(due * QUIET))) - sizeOf(name);
        return places > 0 ? [[name, places]] : [];
      }),
    );
  };

  /** Feeds groups, each its share; answers whether any of them has more. */
  const feed = async (
    groups: readonly Group[],
    shares: ReadonlyMap<string, number>,
    rules: QueueRules,
    quiet: ReadonlyMap<string, number>,
  ): Promise<boolean> => {
    const names = groups.map(({ name }) => name);
    const values = [
      queue,
      version,
      names,
      names.map((name) => sizeOf(name) + (shares.get(name) ?? 0) + 1),
      rules.barredOwners,
    ];
    const { rows } = await client.query<Chosen>({ ...firstOfGroups, values });
    let isMore = false;
    const chosen: Chosen[] = [];
    for (const [group, jobs] of Map.groupBy(rows, (job) => job.group)) {
      const before = inWindow.get(group);
      const fresh = jobs.filter((job) => !before?.has(brokerId(job)));
      const next = fresh.slice(0, shares.get(group) ?? 0);
      chosen.push(...next);
      isMore ||= fresh.length > next.length;
      const still = jobs.filter((job) => before?.has(brokerId(job)));
      inWindow.set(group, new Set([...still, ...next].map(brokerId)));
    }
    const inOrder = interleave(chosen, rules.weightOf);
    const { feed: add } = openBroker(context);
    // a group that has next to nothing in the window would wait behind all that is there
    const left = new Map(quiet);
    const [ahead, behind]: [Chosen[], Chosen[]] = [[], []];
    for (const job of inOrder) {
      const places = left.get(job.group) ?? 0;
      (places > 0 ? ahead : behind).push(job);
      left.set(job.group, places - 1);
    }
    await add(ahead, true);
    await add(behind, false);
    return isMore;
  };

  const pass = async (rules: QueueRules, capacity: number): Promise<void> => {
    const carried = await readWindow(context, own);
    const width = Math.max(NARROWEST, 2 * capacity);
    const most = Math.round(width * stretch);
    stretch = carried < most / 8 ? Math.min(stretch * 1.5, MOST_STRETCH) : Math.max(1, stretch * 0.995);
    await compare();
    await prune();
    const names = await nextGroups();
    for (const name of inWindow.keys()) if (!names.includes(name) && cursor === '') inWindow.delete(name);
    // all the names are known, and no rule says who may not go at once
    const isOpen = names.length > 0 && names.length < MOST_GROUPS && !rules.limits && rules.barredOwners.length === 0;
    const quiet = quietPlaces(names, rules, most);
    const isFull = carried > most / 2;
    if (names.length > 0 && isFull && quiet.size === 0) {
      await sayLane(isOpen ? names : null, 0);
      await writeWindow(context, own, { most, lineUntil: Date.now() + LINE_MS });
      return;
    }
    const [groups, bound] = await feedable(isFull ? [...quiet.keys()] : names, rules);
    const shares = isFull ? asQuiet(groups, quiet, bound) : share(groups, Math.max(0, Math.min(most - carried, bound)));
    const hasMore = sum(shares.values()) > 0 && (await feed(groups, shares, rules, quiet));
    await sayLane(isOpen ? names : null, sum(shares.values()));
    // where it is full, what the others have was not looked at
    const isMore = hasMore || (isFull && names.length > 0);
    // where a rule limits, all goes by the line: what else would be fed could not be claimed
    await writeWindow(context, own, { most, lineUntil: isMore || rules.limits ? Date.now() + LINE_MS : null });
  };

  return { pass };
}
