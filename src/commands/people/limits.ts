import { Argument, Command, Option } from 'commander';
import { limitKinds } from '#src/access/limits/limit-kinds.ts';
import { type AccessOptions, accessHelp, openApi } from '#src/commands/client/api-access.ts';
import { subcommandsOf } from '#src/commands/client/subcommands.ts';
import { numberOf } from '#src/commands/jobs/number-option.ts';
import { wrongUse } from '#src/commands/jobs/read-payload.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';

const help = `${accessHelp} All but \`mine\` need an operator's key.

The most specific limit of a caller decides: of its key, its owner, its plan (tier), the default, then the settings.

Examples:
  $ proofline limits mine
  $ proofline limits refused
  $ proofline limits set queue_depth 50000 --owner acme
  $ proofline limits set requests_per_minute 60 --key 0198c0de-0000-7000-8000-000000000000
  $ proofline limits set requests_per_day 1000000 --plan high
  $ proofline limits remove queue_depth --owner acme

Exit codes: 0 done; 1 refused or failed; 2 wrong use.`;

type Options = AccessOptions & Printing;

interface Whose {
  readonly key?: string;
  readonly owner?: string;
  readonly plan?: string;
}

interface LimitView {
  readonly kind: string;
  readonly scope: string;
  readonly subject: string;
  readonly most: number;
  readonly set_by: string;
  readonly set_at: string;
}

interface OwnLimit {
  readonly kind: string;
  readonly most: number;
  readonly limit_of: string;
}

interface Refusal {
  readonly owner: string;
  readonly policy: string;
  readonly queue: string | null;
  readonly group: string | null;
  readonly refused: number;
}

interface Setting {
  readonly kind: string;
  readonly tier: string;
  readonly most: number;
}

/** The commands of limits: how many jobs and requests of a caller are let in. */
export function limitsCommand(): Command {
  const command = new Command('limits')
    .description('how many jobs and requests of a key, an owner or a plan are let in')
    .addHelpText('after', help);
  const subcommand = subcommandsOf(command, help);
  subcommand('list', 'print the limits that are set, and the settings behind them', true).action(list);
  subcommand('mine', 'print the limits that hold for your key').action(async (options: Options) => {
    const client = await openApi(options);
    const { data } = await client.call<{ readonly data: readonly OwnLimit[] }>('GET', '/v1/limits/mine');
    const rows = data.map(({ kind, most, limit_of: of }) => [kind, String(most), of]);
    print(options, { data }, () => textTable([['limit', 'most', 'of'], ...rows]));
  });
  subcommand('refused', 'print whom limits refused in this hour and the last').action(async (options: Options) => {
    const client = await openApi(options);
    const { data } = await client.call<{ readonly data: readonly Refusal[] }>('GET', '/v1/limits/refusals');
    const rows = data.map(({ owner, policy, queue, group, refused }) => [
      owner,
      policy,
      queue ?? '',
      group ?? '',
      String(refused),
    ]);
    print(options, { data }, () => textTable([['owner', 'limit', 'queue', 'group', 'refused'], ...rows]));
  });
  ofSomebody(subcommand('set', 'set one, or change it').addArgument(kindArgument()))
    .argument('<most>', 'most that is let in')
    .action(async (kind: string, most: string, options: Options & Whose) => {
      const client = await openApi(options);
      const body = { kind, ...whoseOf(options), most: numberOf('<most>', most) };
      const set = await client.call<LimitView>('PUT', '/v1/limits', body);
      print(options, set, () => limitTable([set]));
    });
  ofSomebody(subcommand('remove', 'remove one; the next in the order holds').addArgument(kindArgument())).action(
    async (kind: string, options: Options & Whose) => {
      const client = await openApi(options);
      const named = { kind, ...whoseOf(options) };
      await client.call('DELETE', `/v1/limits?${new URLSearchParams(named).toString()}`);
      print(options, { removed: named }, () => `${kind} of ${named.scope} ${named.subject} is removed.`);
    },
  );
  return command;
}

const kindArgument = () => new Argument('<limit>', 'the limit').choices([...limitKinds]);

function ofSomebody(command: Command): Command {
  return command
    .addOption(new Option('--key <id>', 'of one key').conflicts(['owner', 'plan']))
    .addOption(new Option('--owner <owner>', 'of each caller of an owner').conflicts('plan'))
    .option('--plan <tier>', 'of each caller of a tier; without any of these of every caller');
}

function whoseOf({ key, owner, plan }: Whose): { readonly scope: string; readonly subject: string } {
  const [named] = Object.entries({ key, owner, plan }).filter(([, subject]) => subject !== undefined);
  if (!named) return { scope: 'default', subject: '' };
  const [scope, subject = ''] = named;
  if (subject === '') throw wrongUse(`--${scope}: expected a value, got nothing.`);
  return { scope, subject };
}

async function list(options: Options): Promise<void> {
  const client = await openApi(options);
  const found: LimitView[] = [];
  let settings: readonly Setting[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = new URLSearchParams({ limit: '1000', ...(after !== '' && { after }) }).toString();
    const page = await client.call<{
      readonly data: readonly LimitView[];
      readonly next: string | null;
      readonly settings: readonly Setting[];
    }>('GET', `/v1/limits?${query}`);
    found.push(...page.data);
    ({ next: after, settings } = page);
  }
  print(options, { data: found, settings }, () => {
    const rows = settings.map(({ kind, tier, most }) => [kind, tier, String(most)]);
    return [limitTable(found), textTable([['setting', 'tier', 'most'], ...rows])].join('\n\n');
  });
}

function limitTable(limits: readonly LimitView[]): string {
  const rows = limits.map(({ kind, scope, subject, most, set_by: by, set_at: at }) => [
    kind,
    scope,
    subject,
    String(most),
    by,
    shownTime(at),
  ]);
  return textTable([['limit', 'of', 'whose', 'most', 'set by', 'at'], ...rows]);
}
