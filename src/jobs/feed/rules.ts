import type { Client } from 'pg';

/** A rule of a queue, of a group, of an owner or of a key, as the feeder needs it. */
export interface Rule {
  readonly queue: string;
  readonly kind: 'queue' | 'group' | 'owner' | 'key';
  readonly name: string;
  readonly weight: number | null;
  readonly concurrency: number | null;
  readonly rate: number | null;
  readonly rateMs: number | null;
  readonly paused: boolean;
  readonly limits: boolean;
}

/** Reads all rules: a few rows, since they are written by hand. */
export async function readRules(client: Client): Promise<readonly Rule[]> {
  const { rows } = await client.query<Rule>(
    `select queue, kind, name, weight, concurrency, rate, rate_ms as "rateMs", paused, limits from queue_rules`,
  );
  return rows;
}

/** Limiting rules of one kind that one queue has, or `*`. */
export interface SubjectRules {
  readonly queue: string;
  readonly kind: 'owner' | 'key';
  /** By their names, also where they limit nothing. */
  readonly named: ReadonlyMap<string, Rule>;
  /** The rule of each that has none of its own. */
  readonly each: Rule | undefined;
}

/** The rules of one queue. */
export interface QueueRules {
  /** Share of a group beside the others; 1 without a rule. */
  readonly weightOf: (group: string) => number;
  /** The rule of a group: its own, or that of each, `*`. */
  readonly ruleOf: (group: string) => Rule | undefined;
  /** The rule of the queue as a whole. */
  readonly whole: Rule | undefined;
  /** Rules of owners and of keys; none where none of them limits. */
  readonly subjects: readonly SubjectRules[];
  /** True where a claim may be refused by one of them: then all that comes stands in line. */
  readonly limits: boolean;
  /** True where one of them is a rate. */
  readonly rates: boolean;
}

/** Picks the rules that hold for a queue. */
export function rulesOf(rules: readonly Rule[], queue: string): QueueRules {
  const own = rules.filter((rule) => rule.queue === queue || rule.queue === '*');
  const groups = new Map(own.filter(({ kind }) => kind === 'group').map((rule) => [rule.name, rule]));
  const ruleOf = (group: string) => groups.get(group) ?? groups.get('*');
  return {
    ruleOf,
    weightOf: (group) => ruleOf(group)?.weight ?? 1,
    whole: own.find(({ kind }) => kind === 'queue'),
    subjects: [queue, '*'].flatMap((of) =>
      (['owner', 'key'] as const).flatMap((kind) => subjectRules(own, of, kind) ?? []),
    ),
    limits: own.some(({ limits }) => limits),
    rates: own.some(({ rate }) => rate !== null),
  };
}

function subjectRules(rules: readonly Rule[], queue: string, kind: SubjectRules['kind']): SubjectRules | undefined {
  const own = rules.filter((rule) => rule.queue === queue && rule.kind === kind);
  if (!own.some(({ limits }) => limits)) return undefined;
  const named = new Map(own.map((rule) => [rule.name, rule]));
  const each = named.get('*');
  named.delete('*');
  return { queue, kind, named, each };
}
