import type { Static } from 'typebox';
import { putRule } from '#src/jobs/rules/queue-rules.ts';
import { submitMany } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import type { Random } from '#test/chaos/random.ts';
import type { Limits, Observer } from './observer.ts';
import { type LimitedPayload, limited } from './queue.ts';

const keys = ['0', '1', '2', '3'].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, ...string[]];
const groups = ['g0', 'g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7'] as [string, ...string[]];
const owners = ['bob', 'alice', 'carol'] as [string, ...string[]];

interface Rule {
  readonly kind: 'queue' | 'group' | 'owner' | 'key';
  readonly name: string;
  /** Queue of the rule; all without it. */
  readonly queue: string;
  readonly limits: Limits;
}

/** What is limited at first: of each kind one by name and, where there is one, the others by the rule of each. */
function rulesFor(width: number): readonly [Rule, ...Rule[]] {
  const atOnce = (jobs: number): Limits => ({ concurrency: jobs * width, rate: null });
  const inSecond = (jobs: number): Limits => ({ concurrency: null, rate: { jobs: jobs * width, ms: 1_000 } });
  return [
    { kind: 'queue', name: '', queue: limited.name, limits: atOnce(26) },
    { kind: 'group', name: '*', queue: limited.name, limits: atOnce(9) },
    { kind: 'group', name: 'g0', queue: limited.name, limits: atOnce(3) },
    { kind: 'group', name: 'g1', queue: limited.name, limits: inSecond(80) },
    { kind: 'owner', name: 'bob', queue: '*', limits: atOnce(5) },
    { kind: 'key', name: keys[0], queue: '*', limits: atOnce(4) },
    { kind: 'key', name: keys[1]!, queue: limited.name, limits: inSecond(60) },
  ];
}

/** Rule that changes while jobs run, by its place above, and between which limits of concurrency. */
interface Change {
  readonly place: number;
  readonly low: number;
  readonly high: number;
}

const changing: readonly [Change, ...Change[]] = [
  { place: 0, low: 6, high: 30 },
  { place: 2, low: 0, high: 6 },
  { place: 4, low: 1, high: 10 },
  { place: 5, low: 1, high: 8 },
];

const scopeNames = ({ kind, name }: Rule): readonly string[] =>
  kind === 'group' && name === '*'
    ? groups.slice(2).map((group) => `group ${group}`)
    : [kind === 'queue' ? 'queue' : `${kind} ${name}`];

async function write(context: Context, observer: Observer, rule: Rule): Promise<void> {
  const { kind, name, queue, limits } = rule;
  const { concurrency, rate } = limits;
  for (const scope of scopeNames(rule)) observer.limit(scope, limits, 'about');
  const bounds = { weight: null, concurrency, rate: rate?.jobs ?? null, rateMs: rate?.ms ?? null };
  await putRule(context, { queue, kind, name, ...bounds, paused: false, reason: null, changedBy: 'chaos' });
  for (const scope of scopeNames(rule)) observer.limit(scope, limits, 'held');
}

/** One of several, the first ones seldom: these have the narrow limits, and would soon be all that waits. */
function most(random: Random, [first, second, ...others]: readonly [string, ...string[]]): string {
  const chance = random.next();
  if (chance < 0.03) return first;
  return chance < 0.1 || others.length === 0 ? second! : random.pick(others as [string, ...string[]]);
}

/** Limited jobs and the rules that limit them. */
export interface LimitedLoad {
  /** Hands of a worker: two of them have more than any limit lets run. */
  readonly hands: number;
  /** Writes the rules of the beginning. */
  readonly writeRules: (context: Context, observer: Observer) => Promise<void>;
  /** Changes one limit, downwards as often as upwards. */
  readonly changeRule: (context: Context, observer: Observer, random: Random) => Promise<void>;
  /** Submits jobs of all groups, owners and keys at random. */
  readonly submitSome: (context: Context, random: Random, count: number) => Promise<void>;
}

/** Opens a load whose limits are so many times as wide. */
export function openLimitedLoad(width: number): LimitedLoad {
  const rules = rulesFor(width);
  return {
    hands: 20 * width,
    writeRules: async (context, observer) => {
      for (const rule of rules) await write(context, observer, rule);
    },
    changeRule: async (context, observer, random) => {
      const { place, low, high } = random.pick(changing);
      const rule = rules[place]!;
      const concurrency = random.whole(low * width, high * width);
      await write(context, observer, { ...rule, limits: { ...rule.limits, concurrency } });
    },
    submitSome: async (context, random, count) => {
      const settled = await submitMany(
        context,
        Array.from({ length: count }, () => {
          const [group, owner, keyId] = [most(random, groups), most(random, owners), most(random, keys)];
          const payload: Static<typeof LimitedPayload> = {
            scopes: ['queue', `group ${group}`, `owner ${owner}`, `key ${keyId}`],
            // where very many are to run, what each takes beside its claim would be most of the time
            workMs: width > 1 ? 0 : random.whole(0, 6),
          };
          const priority = random.whole(0, 3);
          return { queue: limited, submission: { principal: { owner, keyId }, payload, group, priority } };
        }),
      );
      const failed = settled.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    },
  };
}
