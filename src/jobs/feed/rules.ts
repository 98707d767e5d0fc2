import type { Client } from 'pg';

/** What an operator has said of a queue, of a group or of an owner. */
export interface Rule {
  readonly queue: string;
  readonly kind: 'queue' | 'group' | 'owner';
  readonly name: string;
  readonly weight: number | null;
  readonly concurrency: number | null;
  readonly paused: boolean;
  readonly limits: boolean;
}

/** Reads all rules: a few rows, since they are written by hand. */
export async function readRules(client: Client): Promise<readonly Rule[]> {
  const { rows } = await client.query<Rule>(
    'select queue, kind, name, weight, concurrency, paused, limits from queue_rules',
  );
  return rows;
}

/** The rules of one queue. */
export interface QueueRules {
  /** Share of a group beside the others; 1 without a rule. */
  readonly weightOf: (group: string) => number;
  /** Jobs of a group at once; null where nothing bounds them. */
  readonly concurrencyOf: (group: string) => number | null;
  /** Jobs of the whole queue at once; null where nothing bounds them. */
  readonly concurrency: number | null;
  readonly isPaused: (group: string) => boolean;
  /** Owners of whom no job may be fed. */
  readonly barredOwners: readonly string[];
  /** True where a claim may be refused by one of them. */
  readonly limits: boolean;
}

/** Picks the rules that hold for a queue. A group without a rule of its own goes by that of each group, `*`. */
export function rulesOf(rules: readonly Rule[], queue: string): QueueRules {
  const own = rules.filter((rule) => rule.queue === queue || rule.queue === '*');
  const groups = new Map(own.filter(({ kind }) => kind === 'group').map((rule) => [rule.name, rule]));
  const ruleOf = (group: string) => groups.get(group) ?? groups.get('*');
  return {
    weightOf: (group) => ruleOf(group)?.weight ?? 1,
    concurrencyOf: (group) => ruleOf(group)?.concurrency ?? null,
    concurrency: own.find(({ kind }) => kind === 'queue')?.concurrency ?? null,
    isPaused: (group) => ruleOf(group)?.paused ?? false,
    barredOwners: own.filter(({ kind, paused }) => kind === 'owner' && paused).map(({ name }) => name),
    limits: own.some(({ limits }) => limits),
  };
}
