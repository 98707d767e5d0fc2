import type { Client } from 'pg';
import { groupOf } from '#src/jobs/model/feed.ts';
import type { QueueRules, Rule, SubjectRules } from './rules.ts';

/** A job as rules bind it; a job that no key submitted has none. */
export interface Bound {
  readonly owner: string;
  readonly key: string | null;
}

/** Owners or keys: `names` and no others where `only`, all but them else. */
export interface Barred {
  readonly names: readonly string[];
  readonly only: boolean;
}

/** Claims that rules leave, beside what runs and what is in the window. The claim decides: this spares it refusals. */
export interface Places {
  readonly ofQueue: number;
  readonly ofGroup: (name: string) => number;
  /** Places of a job's owner and key, of which each is taken off when it is given; false where one has none left. */
  readonly take: (job: Bound) => boolean;
  /** Owners and keys that may not be fed now; null where there are none. */
  readonly barred: { readonly owners: Barred; readonly keys: Barred } | null;
}

/** Jobs that the window has already. */
export interface InWindow {
  readonly sizeOf: (group: string) => number;
  readonly jobs: () => readonly Bound[];
}

const runningNow = {
  name: 'running-by-rules',
  text: `
    select j.queue = $1 as own, ${groupOf} as "group", j.owner, j.key_id::text as key, count(*)::int as jobs
    from jobs j where j.state = 'running' and (j.queue = $1 or $2::bool) group by 1, 2, 3, 4`,
};

/**
 * Claims that were left of rates: of the queue, of these groups, and of the owners and keys that have none left or whose
 * buckets are ahead of the clock.
 */
const spentNow = {
  name: 'spent-by-rules',
  text: `
    with found as materialized (
      select * from rate_buckets where queue = $1 and kind = 'queue'
      union all
      select b.* from unnest($2::text[]) as g (name) join rate_buckets b on b.queue = $1 and b.kind = 'group' and b.name = g.name
      union all
      select * from rate_buckets where queue in ($1, '*') and kind in ('owner', 'key')
        and (tokens < 1 or at > clock_timestamp() + interval '1 second')
    )
    select queue, kind, name, tokens, extract(epoch from clock_timestamp() - at)::float8 * 1000 as "agoMs" from found`,
};

/** After a clock went back: what time gives is counted from now on, and none of it twice. */
const countFromNow = `
  with ahead as materialized (
    select queue, kind, name from rate_buckets where at > clock_timestamp() + interval '1 second' for update skip locked
  )
  update rate_buckets b set at = clock_timestamp() from ahead a
  where b.queue = a.queue and b.kind = a.kind and b.name = a.name`;

interface Running extends Bound {
  readonly own: boolean;
  readonly group: string;
  readonly jobs: number;
}

interface Spent {
  readonly queue: string;
  readonly kind: Rule['kind'];
  readonly name: string;
  /** Claims that were left, so many ms ago. */
  readonly tokens: number;
  readonly agoMs: number;
}

function leftBy(rule: Rule | undefined, running: number, spent: Spent | undefined): number {
  if (!rule?.limits) return Infinity;
  if (rule.paused) return 0;
  const { concurrency, rate, rateMs } = rule;
  const places = concurrency === null ? Infinity : concurrency - running;
  if (rate === null || rateMs === null) return places;
  const tokens = spent ? Math.min(rate, spent.tokens + (Math.max(0, spent.agoMs) * rate) / rateMs) : rate;
  return Math.min(places, Math.floor(tokens));
}

const keyOf = ({ queue, kind, name }: Pick<Spent, 'queue' | 'kind' | 'name'>) => JSON.stringify([queue, kind, name]);

/** Reads what the rules of a queue leave to it and to these groups. */
export async function readPlaces(
  client: Client,
  queue: string,
  groups: readonly string[],
  rules: QueueRules,
  window: InWindow,
): Promise<Places> {
  if (!rules.limits) return { ofQueue: Infinity, ofGroup: () => Infinity, take: () => true, barred: null };
  const isWide = rules.subjects.some((subject) => subject.queue === '*');
  const { rows: running } = await client.query<Running>({ ...runningNow, values: [queue, isWide] });
  const spent = rules.rates ? (await client.query<Spent>({ ...spentNow, values: [queue, groups] })).rows : [];
  if (spent.some(({ agoMs }) => agoMs < -1_000)) await client.query(countFromNow);
  const buckets = new Map(spent.map((bucket) => [keyOf(bucket), bucket]));
  const own = running.filter((one) => one.own);
  const byGroup = sums(own, ({ group }) => group);
  const carried = window.jobs();
  const subjects = rules.subjects.map((subject) => openSubject(subject, running, carried, buckets));
  const [owners, keys] = [barredOf(subjects, 'owner', []), barredOf(subjects, 'key', [NO_KEY])];
  return {
    ofQueue:
      leftBy(
        rules.whole,
        own.reduce((sum, { jobs }) => sum + jobs, 0),
        buckets.get(keyOf({ queue, kind: 'queue', name: '' })),
      ) - carried.length,
    ofGroup: (name) =>
      leftBy(rules.ruleOf(name), byGroup.get(name) ?? 0, buckets.get(keyOf({ queue, kind: 'group', name }))) -
      window.sizeOf(name),
    take: (job) => {
      if (!subjects.every(({ leftOf }) => leftOf(job) > 0)) return false;
      for (const { give } of subjects) give(job);
      return true;
    },
    barred: [owners, keys].some(({ names, only }) => only || names.length > 0) ? { owners, keys } : null,
  };
}

/** Stands for the key of jobs that no key submitted, which no rule of keys binds. */
const NO_KEY = '';

interface Subject {
  readonly kind: SubjectRules['kind'];
  readonly leftOf: (job: Bound) => number;
  /** Counts one more job as in the window. */
  readonly give: (job: Bound) => void;
  readonly barred: Barred;
}

function openSubject(
  { queue, kind, named, each }: SubjectRules,
  running: readonly Running[],
  carried: readonly Bound[],
  buckets: ReadonlyMap<string, Spent>,
): Subject {
  const counted = queue === '*' ? running : running.filter((one) => one.own);
  const ran = sums(counted, (job) => job[kind]);
  const fed = sums(carried, (job) => job[kind]);
  const left = (name: string) =>
    leftBy(named.get(name) ?? each, ran.get(name) ?? 0, buckets.get(keyOf({ queue, kind, name }))) -
    (fed.get(name) ?? 0);
  const empty = [...buckets.values()].flatMap((one) => (one.queue === queue && one.kind === kind ? [one.name] : []));
  const known = [...new Set([...named.keys(), ...ran.keys(), ...fed.keys(), ...empty])];
  // of one that is not known nothing runs: where the rule of each leaves it none, only known ones may be fed
  const only = leftBy(each, 0, undefined) <= 0;
  return {
    kind,
    leftOf: (job) => {
      const name = job[kind];
      return name === null ? Infinity : left(name);
    },
    give: (job) => {
      const name = job[kind];
      if (name !== null) fed.set(name, (fed.get(name) ?? 0) + 1);
    },
    barred: { names: known.filter((name) => left(name) > 0 === only), only },
  };
}

/** Owners or keys that at least one of several rules keeps from being fed. */
function barredOf(subjects: readonly Subject[], kind: Subject['kind'], free: readonly string[]): Barred {
  const all = subjects.filter((subject) => subject.kind === kind).map(({ barred }) => barred);
  const not = new Set(all.flatMap(({ names, only }) => (only ? [] : names)));
  const onlys = all.filter(({ only }) => only).map(({ names }) => new Set(names));
  const [first, ...others] = onlys;
  if (!first) return { names: [...not], only: false };
  const names = [...first].filter((name) => !not.has(name) && others.every((other) => other.has(name)));
  return { names: [...names, ...free], only: true };
}

function sums<T extends Bound & { readonly jobs?: number }>(
  list: readonly T[],
  nameOf: (one: T) => string | null,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const one of list) {
    const name = nameOf(one);
    if (name !== null) found.set(name, (found.get(name) ?? 0) + (one.jobs ?? 1));
  }
  return found;
}
