import type { Command } from 'commander';
import { type AccessOptions, openApi } from '#src/commands/client/api-access.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { textTable } from '#src/commands/terminal/text-table.ts';
import { numberOf } from './number-option.ts';
import { wrongUse } from './read-payload.ts';

type Options = AccessOptions & Printing;

interface RuleOptions extends Options {
  readonly group?: string;
  readonly owner?: string;
  readonly key?: string;
  readonly weight?: string;
  readonly concurrency?: string;
  readonly rate?: string;
  readonly pause?: boolean;
  readonly reason?: string;
  readonly remove?: boolean;
}

interface Rule {
  readonly kind: string;
  readonly name: string | null;
  readonly weight: number | null;
  readonly concurrency: number | null;
  readonly rate: { readonly jobs: number; readonly per_seconds: number } | null;
  readonly paused: boolean;
  readonly reason: string | null;
}

interface Groups {
  readonly data: readonly GroupRow[];
  readonly rest: Omit<GroupRow, 'group'> | null;
}

interface GroupRow {
  readonly group: string;
  readonly waiting: number;
  readonly running: number;
  readonly oldest_waiting_seconds: number;
  readonly refused: number;
}

const pathOf = (queue: string, end: string) => `/v1/queues/${encodeURIComponent(queue)}/${end}`;

/** Prints the rules of a queue. */
export async function printRules(queue: string, options: Options): Promise<void> {
  const list = await (await openApi(options)).call<{ data: readonly Rule[] }>('GET', pathOf(queue, 'rules'));
  print(options, list, () => ruleTable(list.data));
}

/** Prints who waits in a queue, by group. */
export async function printGroups(queue: string, options: Options): Promise<void> {
  const list = await (await openApi(options)).call<Groups>('GET', pathOf(queue, 'groups'));
  const rows = list.rest ? [...list.data, { group: '(all others)', ...list.rest }] : list.data;
  print(options, list, () =>
    textTable([
      ['group', 'waiting', 'running', 'oldest', 'refused'],
      ...rows.map(({ group, waiting, running, oldest_waiting_seconds: oldest, refused }) => [
        group,
        `${waiting}`,
        `${running}`,
        `${oldest} s`,
        `${refused}`,
      ]),
    ]),
  );
}

/** Adds the options of a rule to a command. */
export function withRule(command: Command): Command {
  return command
    .option('--group <name>', 'of one group; * is each without a rule of its own')
    .option('--owner <name>', 'of one owner; * is each without a rule of its own')
    .option('--key <id>', 'of one key that submits; * is each without a rule of its own')
    .option('--weight <number>', 'share of a group beside the others (1)')
    .option('--concurrency <number>', 'jobs that run at once')
    .option('--rate <jobs/seconds>', 'jobs that may begin in a time: 100/60')
    .option('--pause', 'begin none of its jobs')
    .option('--reason <text>', 'why')
    .option('--remove', 'take the rule away');
}

/** Writes a rule of a queue, or takes it away. */
export async function writeRule(queue: string, options: RuleOptions): Promise<void> {
  const { group, owner, key, remove = false } = options;
  const named = Object.entries({ group, owner, key }).filter(([, value]) => value !== undefined);
  if (named.length > 1) throw wrongUse('expected one of --group, --owner and --key, or none for the queue, got more.');
  const [kind, name] = named[0] ?? ['queue', undefined];
  const client = await openApi(options);
  if (remove) {
    const query = new URLSearchParams({ kind, ...(name !== undefined && { name }) });
    await client.call('DELETE', `${pathOf(queue, 'rules')}?${query.toString()}`);
    return print(options, { removed: true }, () => `The rule of ${queue} is gone.`);
  }
  const { weight, concurrency, rate, pause = false, reason } = options;
  const stored = await client.call<Rule>('PUT', pathOf(queue, 'rules'), {
    kind,
    ...(name !== undefined && { name }),
    ...(weight !== undefined && { weight: numberOf('--weight', weight) }),
    ...(concurrency !== undefined && { concurrency: numberOf('--concurrency', concurrency) }),
    ...(rate !== undefined && { rate: rateOf(rate) }),
    paused: pause,
    ...(reason !== undefined && { reason }),
  });
  print(options, stored, () => ruleTable([stored]));
}

function rateOf(text: string): Rule['rate'] {
  const found = /^(\d+)\/(\d+)$/.exec(text);
  if (!found) throw wrongUse(`--rate: expected jobs and seconds, such as 100/60, got "${text}".`);
  return { jobs: Number(found[1]), per_seconds: Number(found[2]) };
}

function ruleTable(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'No rules: nothing is limited, and every group has the same share.';
  const cells = ({ kind, name, weight, concurrency, rate, paused, reason }: Rule) => [
    kind,
    name ?? '',
    `${weight ?? 1}`,
    `${concurrency ?? 'any'}`,
    rate ? `${rate.jobs} in ${rate.per_seconds} s` : 'any',
    paused ? `paused${reason === null ? '' : `: ${reason}`}` : (reason ?? ''),
  ];
  return textTable([['of', 'name', 'weight', 'at once', 'rate', ''], ...rules.map(cells)]);
}
