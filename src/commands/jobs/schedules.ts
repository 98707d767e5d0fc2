import { Command, Option } from 'commander';
import { type AccessOptions, accessHelp, openApi } from '#src/commands/client/api-access.ts';
import { subcommandsOf } from '#src/commands/client/subcommands.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { ScheduleDetail, ScheduleView } from '#src/http/schedules/schedule-body.ts';
import { missedPolicies, overlaps } from '#src/jobs/schedules/policies.ts';
import { numberOf } from './number-option.ts';
import { readPayload, wrongUse } from './read-payload.ts';

const help = `${accessHelp} The key needs the scope jobs.submit.

Examples:
  $ proofline schedules put nightly acme.send-report report.json --cron '0 7 * * 1-5' --zone Europe/London
  $ proofline schedules put refresh acme.refresh-cache cache.json --every 300 --overlap replace
  $ proofline schedules show nightly                       its next ten times, and what became of the last
  $ proofline schedules run nightly                        one run now, beside its times
  $ proofline schedules pause nightly
  $ proofline schedules list --owner '*'                   those of every owner, for operators

Exit codes: 0 done; 1 refused or failed; 2 wrong use.`;

type Options = AccessOptions & Printing;

/** Options of commands that operators give for other owners. */
type OwnerOptions = Options & { readonly owner?: string };

interface PutOptions extends Options {
  readonly cron?: string;
  readonly zone?: string;
  readonly every?: string;
  readonly overlap?: string;
  readonly missed?: string;
  readonly missedWithin?: string;
}

/** The commands of schedules: jobs that are submitted by the clock. */
export function schedulesCommand(): Command {
  const command = new Command('schedules')
    .description('jobs that are submitted by the clock')
    .addHelpText('after', help);
  const sub = subcommandsOf(command, help);
  sub('list', 'print your schedules, each with its next time', true)
    .option('--owner <owner>', 'those of this owner, or * for all (operators)')
    .action(list);
  sub('show', 'print one with its next ten times and its past')
    .argument('<name>', 'the schedule')
    .addOption(ownerOption())
    .action(async (name: string, options: OwnerOptions) => {
      const client = await openApi(options);
      const shown = await client.call<ScheduleDetail>('GET', pathFor(name, options));
      print(options, shown, () => detailText(shown));
    });
  sub('put', 'make one, or change it')
    .argument('<name>', 'its name')
    .argument('<queue>', 'the queue of its jobs')
    .argument('<payload>', 'a file of JSON, or - for standard input')
    .option('--cron <pattern>', 'five fields from the minute, or six from the second')
    .option('--zone <name>', 'the IANA zone of the pattern; UTC without it')
    .option('--every <seconds>', 'instead of a pattern: whole intervals from now')
    .addOption(new Option('--overlap <policy>', 'where the run before has not ended').choices([...overlaps]))
    .addOption(new Option('--missed <policy>', 'times that passed while nothing ran').choices([...missedPolicies]))
    .option('--missed-within <seconds>', 'the age beyond which none is made up for')
    .action(put);
  for (const [name, about] of [
    ['pause', 'stop one'],
    ['resume', 'let one go on with its next time'],
  ] as const)
    sub(name, about)
      .argument('<name>', 'the schedule')
      .addOption(ownerOption())
      .action(async (schedule: string, options: OwnerOptions) => {
        const client = await openApi(options);
        const shown = await client.call<ScheduleView>('POST', pathFor(schedule, options, `/${name}`));
        print(options, shown, () => table([shown]));
      });
  sub('run', 'submit one run now')
    .argument('<name>', 'the schedule')
    .action(async (name: string, options: Options) => {
      const client = await openApi(options);
      const { job_id: job } = await client.call<{ readonly job_id: string }>('POST', `${pathOf(name)}/run`);
      print(options, { job_id: job }, () => job);
    });
  sub('remove', 'remove one; its jobs stay')
    .argument('<name>', 'the schedule')
    .addOption(ownerOption())
    .action(async (name: string, options: OwnerOptions) => {
      const client = await openApi(options);
      await client.call('DELETE', pathFor(name, options));
      print(options, { removed: name }, () => `${name} is removed.`);
    });
  return command;
}

async function list(options: OwnerOptions): Promise<void> {
  const { owner } = options;
  const client = await openApi(options);
  const found: ScheduleView[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = new URLSearchParams({
      limit: '200',
      after,
      ...(owner !== undefined && { owner }),
    }).toString();
    const page = await client.call<{ data: readonly ScheduleView[]; next: string | null }>(
      'GET',
      `/v1/schedules?${query}`,
    );
    found.push(...page.data);
    after = page.next;
  }
  print(options, { data: found }, () => table(found, owner === '*'));
}

async function put(name: string, queue: string, file: string, options: PutOptions): Promise<void> {
  const { cron, zone, overlap, missed } = options;
  const every = numberOf('--every', options.every);
  const within = numberOf('--missed-within', options.missedWithin);
  if ((cron === undefined) === (every === undefined))
    throw wrongUse(`expected --cron or --every, got ${cron === undefined ? 'none' : 'both'}.`);
  const body = {
    queue,
    payload: await readPayload(file),
    ...(cron !== undefined && { cron }),
    ...(every !== undefined && { every_ms: Math.round(every * 1_000) }),
    ...(zone !== undefined && { zone }),
    ...(overlap !== undefined && { overlap }),
    ...(missed !== undefined && { missed }),
    ...(within !== undefined && { missed_within_s: Math.round(within) }),
  };
  const client = await openApi(options);
  const shown = await client.call<ScheduleView>('PUT', pathOf(name), body);
  print(options, shown, () => table([shown]));
}

const heading = ['name', 'queue', 'when', 'next', 'last', 'overlap', 'missed'];

function table(schedules: readonly ScheduleView[], isWide = false): string {
  if (!isWide) return textTable([heading, ...schedules.map(cells)]);
  return textTable([['owner', ...heading], ...schedules.map((schedule) => [schedule.owner, ...cells(schedule)])]);
}

function cells(schedule: ScheduleView): string[] {
  const { name, queue, paused, next_at: next, last_at: last, overlap, missed } = schedule;
  const comes = paused ? 'paused' : next === null ? 'never' : shownTime(next);
  return [name, queue, ruleText(schedule), comes, last === null ? '' : shownTime(last), overlap, missed];
}

function ruleText({ cron, every_ms: every, zone }: ScheduleView): string {
  return cron === null ? `every ${(every ?? 0) / 1_000} s` : `${cron} ${zone}`;
}

function detailText(detail: ScheduleDetail): string {
  const next = textTable([['next'], ...detail.next.map((at) => [shownTime(at)])]);
  const past = detail.runs.map(({ at, outcome, job_id: job, reason }) => [
    shownTime(at),
    outcome,
    job ?? '',
    reason ?? '',
  ]);
  return [table([detail]), next, textTable([['was', 'outcome', 'job', 'why'], ...past])].join('\n\n');
}

function ownerOption(): Option {
  return new Option('--owner <owner>', 'its owner, where it is not you (operators)');
}

/** Path of a schedule, or of what is done with it, for the owner that an operator names. */
function pathFor(name: string, { owner }: OwnerOptions, what = ''): string {
  const query = owner === undefined ? '' : `?${new URLSearchParams({ owner }).toString()}`;
  return `${pathOf(name)}${what}${query}`;
}

function pathOf(name: string): string {
  return `/v1/schedules/${encodeURIComponent(name)}`;
}
