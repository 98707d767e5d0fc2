import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { type AccessOptions, openApi, operatorAccessHelp } from '#src/commands/client/api-access.ts';
import { subcommandsOf } from '#src/commands/client/subcommands.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { ProviderCallView } from '#src/governance/calls/call-view.ts';
import { callLists } from '#src/governance/calls/list-calls.ts';
import { counted } from '#src/lib/text/counted.ts';

const help = `${operatorAccessHelp}

A call of a provider is unknown where no answer came in time, or a connection broke off: it is not known whether it cost
anything. It holds what it can have cost until its outcome comes, you decide, or the rule does (UNKNOWN_CALL_HOURS).

Examples:
  $ npm run -s proofline -- calls
  $ npm run -s proofline -- calls list --decided --provider openai
  $ npm run -s proofline -- calls write-off 0198c0de-0000-7000-8000-000000000000 openai --reason "not on the invoice"
  $ npm run -s proofline -- calls bill 0198c0de-0000-7000-8000-000000000000 openai --usd 0.0042

Exit codes: 0 done; 1 refused or failed; 2 wrong use.`;

type Options = AccessOptions & Printing;

interface ListOptions extends Options {
  readonly decided?: boolean;
  readonly owner?: string;
  readonly provider?: string;
  readonly limit: string;
  readonly cursor?: string;
}

interface CallPage {
  readonly unknown: { readonly calls: number; readonly held_usd: number };
  readonly rule: { readonly hours: number; readonly end: 'written_off' | 'billed' };
  readonly data: readonly ProviderCallView[];
  readonly next_cursor: string | null;
}

export function callsCommand(): Command {
  const command = new Command('calls')
    .description('list calls of providers whose outcome is unknown, write them off or bill them (operators)')
    .addHelpText('after', help);
  const subcommand = subcommandsOf(command, help);
  subcommand('list', 'unknown calls, the longest first', true)
    .option('--decided', 'calls that an operator or the rule has decided instead, the newest first')
    .option('--owner <owner>', 'only calls for this owner')
    .option('--provider <provider>', 'only calls of this provider')
    .addOption(new Option('--limit <n>', 'calls to list, 1 to 100').default('20'))
    .option('--cursor <cursor>', 'where the next page begins, as the page before says')
    .action(async ({ decided, owner, provider, limit, cursor, ...options }: ListOptions) => {
      const [unknown, other] = callLists;
      const query = new URLSearchParams({
        list: decided ? other : unknown,
        limit,
        ...(owner !== undefined && { owner }),
        ...(provider !== undefined && { provider }),
        ...(cursor !== undefined && { cursor }),
      });
      const page = await (await openApi(options)).call<CallPage>('GET', `/v1/provider-calls?${query.toString()}`);
      print(options, page, () => pageText(page));
    });
  decision(subcommand('write-off', 'give back what an unknown call holds: it counts as nothing')).action(
    async (job: string, provider: string, { reason, ...options }: Options & { reason?: string }) =>
      await decide(options, job, provider, 'write-off', { ...(reason !== undefined && { reason }) }),
  );
  decision(subcommand('bill', 'count an unknown call as spent'))
    .requiredOption('--usd <dollars>', 'what it cost, by the provider’s own accounts', dollars)
    .action(
      async (job: string, provider: string, { reason, usd, ...options }: Options & Billing) =>
        await decide(options, job, provider, 'bill', { usd, ...(reason !== undefined && { reason }) }),
    );
  return command;
}

interface Billing {
  readonly usd: number;
  readonly reason?: string;
}

function decision(command: Command): Command {
  return command
    .addArgument(new Argument('<job>', 'the job that made the call'))
    .addArgument(new Argument('<provider>', 'the provider that it called'))
    .option('--reason <text>', 'why, for the operator who checks the accounts');
}

/** @throws InvalidArgumentError for what is no amount */
function dollars(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d{1,6})?$/.test(text) && value <= 1_000_000) return value;
  throw new InvalidArgumentError('Expected dollars such as 0.0042: at most 1000000, with six decimals.');
}

async function decide(options: Options, job: string, provider: string, verb: string, body: object): Promise<void> {
  const client = await openApi(options);
  const path = `/v1/provider-calls/${encodeURIComponent(job)}/${encodeURIComponent(provider)}/${verb}`;
  const call = await client.call<ProviderCallView>('POST', path, body);
  print(options, call, () => callTable([call]));
}

function pageText({ unknown, rule, data, next_cursor: cursor }: CallPage): string {
  const { calls, held_usd: held } = unknown;
  const end = rule.end === 'billed' ? 'billed at what it holds' : 'written off';
  const many = counted(calls, 'unknown call holds', 'unknown calls hold');
  const heading = `${many} ${dollarText(held)}; each is ${end} after ${counted(rule.hours, 'hour')}.`;
  const more = cursor === null ? '' : `\nmore: --cursor ${cursor}`;
  return data.length === 0 ? heading : `${heading}\n\n${callTable(data)}${more}`;
}

const columns = ['job', 'provider', 'owner', 'status', 'holds', 'billed', 'since', 'ends', 'decided by', 'why'];

function callTable(calls: readonly ProviderCallView[]): string {
  const replaced = calls.filter(({ decisions }) => decisions.length > 1);
  return [textTable([columns, ...calls.map(cells)]), ...replaced.map(historyText)].join('\n\n');
}

/** All that was decided about a call, where a decision replaced another. */
function historyText({ job_id: job, provider, decisions }: ProviderCallView): string {
  const rows = decisions.map(({ at, decision: end, billed_usd: billed, by, why }) => [
    shownTime(at),
    end,
    dollarText(billed),
    by,
    why ?? '',
  ]);
  return `decisions about ${job} ${provider}, the last one counts\n${textTable([['at', 'decision', 'billed', 'by', 'why'], ...rows])}`;
}

function cells(call: ProviderCallView): string[] {
  const { job_id: job, provider, owner, status, held_usd: held, billed_usd: billed, since, ends_at: endsAt } = call;
  return [
    job,
    provider,
    owner,
    status,
    dollarText(held),
    billed === null ? '' : dollarText(billed),
    since === null ? '' : shownTime(since),
    endsAt === null ? '' : shownTime(endsAt),
    call.decided_by ?? '',
    call.decided_why ?? call.reason ?? '',
  ];
}

const dollarText = (usd: number): string => `$${usd.toFixed(6)}`;
