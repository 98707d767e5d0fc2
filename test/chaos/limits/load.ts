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

const at = (jobs: number, ms: number) => ({ jobs, ms });

/** What is limited at first: of each kind one by name and, where there is one, the others by the rule of each. */
const rules: readonly Rule[] = [
  { kind: 'queue', name: '', queue: limited.name, limits: { concurrency: 26, rate: null } },
  { kind: 'group', name: '*', queue: limited.name, limits: { concurrency: 9, rate: null } },
  { kind: 'group', name: 'g0', queue: limited.name, limits: { concurrency: 3, rate: null } },
  { kind: 'group', name: 'g1', queue: limited.name, limits: { concurrency: null, rate: at(80, 1_000) } },
  { kind: 'owner', name: 'bob', queue: '*', limits: { concurrency: 5, rate: null } },
  { kind: 'key', name: keys[0], queue: '*', limits: { concurrency: 4, rate: null } },
  { kind: 'key', name: keys[1]!, queue: limited.name, limits: { concurrency: null, rate: at(60, 1_000) } },
];

interface Change {
  readonly rule: Rule;
  readonly low: number;
  readonly high: number;
}

/** Rules that change while jobs run, and between which limits of concurrency. */
const changing: readonly [Change, ...Change[]] = [
  { rule: rules[0]!, low: 6, high: 30 },
  { rule: rules[2]!, low: 0, high: 6 },
  { rule: rules[4]!, low: 1, high: 10 },
  { rule: rules[5]!, low: 1, high: 8 },
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

/** Writes the rules of the beginning. */
export async function writeRules(context: Context, observer: Observer): Promise<void> {
  for (const rule of rules) await write(context, observer, rule);
}

/** Changes one limit, downwards as often as upwards. */
export async function changeRule(context: Context, observer: Observer, random: Random): Promise<string> {
  const { rule, low, high } = random.pick(changing);
  const concurrency = random.whole(low, high);
  await write(context, observer, { ...rule, limits: { ...rule.limits, concurrency } });
  return `${scopeNames(rule).join(', ')}: ${concurrency}`;
}

/** One of several, the first ones seldom: these have the narrow limits, and would soon be all that waits. */
function most(random: Random, [first, second, ...others]: readonly [string, ...string[]]): string {
  const chance = random.next();
  if (chance < 0.03) return first;
  return chance < 0.1 || others.length === 0 ? second! : random.pick(others as [string, ...string[]]);
}

/** Submits jobs of all groups, owners and keys at random. */
export async function submitSome(context: Context, random: Random, count: number): Promise<void> {
  const settled = await submitMany(
    context,
    Array.from({ length: count }, () => {
      const [group, owner, keyId] = [most(random, groups), most(random, owners), most(random, keys)];
      const payload: Static<typeof LimitedPayload> = {
        scopes: ['queue', `group ${group}`, `owner ${owner}`, `key ${keyId}`],
        workMs: random.whole(0, 6),
      };
      const priority = random.whole(0, 3);
      return { queue: limited, submission: { principal: { owner, keyId }, payload, group, priority } };
    }),
  );
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
