import type { Client } from 'pg';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { brokerId, type Versioned } from '#src/jobs/broker/broker-names.ts';
import { readWindow, writeWindow } from '#src/jobs/broker/read-carried.ts';
import { groupOf } from '#src/jobs/model/feed.ts';
import type { Context } from '#src/system/context.ts';
import { openRemembered } from './in-window.ts';
import { type Found, inLine, openLooks } from './looks.ts';
import { openLane } from './open-lane.ts';
import { type Places, readPlaces } from './places.ts';
import { quietPlaces, quietShares } from './quiet.ts';
import type { QueueRules } from './rules.ts';
import { type Group, interleave, openShares, sum } from './shares.ts';
import { freeOf, openWholeLine, type WholeLine } from './whole-line.ts';
import { openWidth } from './window-width.ts';

/** Groups that one pass looks at; where there are more, the next begins behind them. */
const MOST_GROUPS = 1_000;
/** Until then a queue with a line is known to have one, ms: a pass says it anew. */
const LINE_MS = 2_000;
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

/** Session in which these statements look into their indexes, whatever the statistics say of a line that was empty. */
export const feedSession = 'set enable_seqscan = off; set enable_bitmapscan = off';

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
  const window = openRemembered(context, client, line);
  const looks = openLooks(client, line);
  const readWhole = openWholeLine(client, line);
  const sayLane = openLane(context, line);
  const width = openWidth();
  let cursor = '';
  /** Groups that the pass before has seen. */
  let groupsBefore = 0;

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

  /** Feeds groups, each its share, those that are quiet before the others; answers how many jobs, and whether any has more. */
  const feed = async (
    groups: readonly Group[],
    shares: ReadonlyMap<string, number>,
    quiet: ReadonlyMap<string, number>,
    places: Places,
    rules: QueueRules,
    whole: WholeLine | null,
  ): Promise<{ readonly count: number; readonly isMore: boolean }> => {
    // of the others nothing is fed, and nothing is to be forgotten: a look at each would take longer than the whole pass
    const names = groups.flatMap(({ name }) => ((shares.get(name) ?? 0) > 0 || window.has(name) ? [name] : []));
    const most = names.map((name) => window.sizeOf(name) + (shares.get(name) ?? 0) + 1);
    const found = whole ? freeOf(whole, places.barred) : await looks.look(names, most, places.barred);
    let isMore = names.length < groups.length;
    const chosen: Found[] = [];
    for (const name of names) {
      const jobs = found.get(name) ?? [];
      const fresh = jobs.filter((job) => !window.holds(name, job));
      const next: Found[] = [];
      const wanted = shares.get(name) ?? 0;
      for (const job of fresh) if (next.length < wanted && places.take(job)) next.push(job);
      chosen.push(...next);
      isMore ||= fresh.length > next.length;
      // what is no longer among the first was claimed; with barred ones before it a look does not tell
      const seen = new Set(jobs.map(brokerId));
      window.put(name, next, (job) => places.barred !== null || seen.has(job));
    }
    const inOrder = interleave(chosen, rules.weightOf);
    const { feed: add } = openBroker(context);
    const left = new Map(quiet);
    const [ahead, after]: [Found[], Found[]] = [[], []];
    for (const job of inOrder) {
      const before = left.get(job.group) ?? 0;
      (before > 0 ? ahead : after).push(job);
      left.set(job.group, before - 1);
    }
    await add(ahead, true);
    await add(after, false);
    return { count: chosen.length, isMore };
  };

  const pass = async (rules: QueueRules, capacity: number): Promise<void> => {
    await window.compare();
    const carried = await readWindow(context, own);
    const most = width.at(performance.now(), carried, capacity);
    const whole = await readWhole(groupsBefore);
    // what a limit counts as in the window must be there
    if (whole) window.keepOnly(whole.has);
    else await window.prune(rules.limits);
    if (whole) cursor = '';
    const names = whole ? [...whole.byGroup.keys()] : await nextGroups();
    groupsBefore = names.length;
    if (cursor === '') window.keepGroups(new Set(names));
    const isFull = names.length > 0 && carried > most / 2;
    // one alone in line, with room for it, has no other to go before
    const quiet =
      isFull || names.length > 1 ? quietPlaces(names, rules.weightOf, window.sizeOf, most) : new Map<string, number>();
    // all the names are known, and no rule says who may not go at once
    const lane = names.length > 0 && names.length < MOST_GROUPS && !rules.limits ? names : null;
    if (isFull && quiet.size === 0) {
      await sayLane(lane, 0);
      await writeWindow(context, own, { most, lineUntil: Date.now() + LINE_MS });
      return;
    }
    const places = await readPlaces(client, queue, names, rules, window);
    const rests = whole ? () => false : looks.resting(places.barred);
    const groups = names.flatMap((name): Group[] => {
      if (rests(name) || (isFull && !quiet.has(name))) return [];
      const left = places.ofGroup(name);
      return left > 0 ? [{ name, weight: rules.weightOf(name), ...(left < Infinity && { most: left }) }] : [];
    });
    // beyond its width for those that have next to nothing in it, and twice as wide at most
    const shares = isFull
      ? quietShares(groups, quiet, Math.min(2 * most - carried, places.ofQueue))
      : share(groups, Math.max(0, Math.min(most - carried, places.ofQueue)));
    const fed =
      sum(shares.values()) > 0 ? await feed(groups, shares, quiet, places, rules, whole) : { count: 0, isMore: false };
    // where it is full, what the others have was not looked at
    const isMore = fed.isMore || isFull;
    width.fed(fed.count);
    await sayLane(lane, fed.count);
    // where a rule limits, all goes by the line: what else would be fed could not be claimed
    await writeWindow(context, own, { most, lineUntil: isMore || rules.limits ? Date.now() + LINE_MS : null });
  };

  return { pass };
}
