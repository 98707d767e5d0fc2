import { Argument, Command, Option } from 'commander';
import { type AccessOptions, jobAccessHelp, openApi } from '#src/commands/client/api-access.ts';
import type { Client } from '#src/commands/client/api-client.ts';
import { subcommandsOf } from '#src/commands/client/subcommands.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import type { JobSummaryView, JobView } from '#src/jobs/model/job-view.ts';
import { states } from '#src/jobs/model/states.ts';
import { unknownEffectDecisions } from '#src/jobs/model/unknown-effects.ts';
import { type ActOptions, actOnJobs, numberOf, queueOption, withFilter } from './act-on-jobs.ts';
import { jobTable, jobText, type TimelineAnswer } from './jobs-text.ts';
import { wrongUse } from './read-payload.ts';
import { waitForJobs } from './wait-for-jobs.ts';

const help = `${jobAccessHelp}

Examples:
  $ npm run -s proofline -- jobs --state failed
  $ npm run -s proofline -- jobs list --queue analytics.stress --text SPX --limit 5
  $ npm run -s proofline -- jobs show 0198c0de-0000-7000-8000-000000000000
  $ npm run -s proofline -- jobs redrive --queue acme.resize-image --error-code timeout --rate 100
  $ npm run -s proofline -- jobs cancel --queue acme.resize-image --older-than 86400 --preview
  $ npm run -s proofline -- jobs wait 0198c0de-0000-7000-8000-000000000000 --timeout 60

Exit codes: 0 done (wait: every job succeeded); 1 refused or failed (wait: a job failed or was cancelled); 2 wrong use;
3 wait: the time is over, and a job has not ended.`;

type Options = AccessOptions & Printing;

interface ListOptions extends Options {
  readonly queue?: string;
  readonly state?: string;
  readonly owner?: string;
  readonly parent?: string;
  readonly text?: string;
  readonly limit: string;
  readonly cursor?: string;
}

interface JobPage {
  readonly data: readonly JobSummaryView[];
  readonly next_cursor: string | null;
  readonly searched_to: string | null;
}

export function jobsCommand(): Command {
  const command = new Command('jobs')
    .description('list, read, cancel, redrive, expire, reprioritise and await jobs')
    .addHelpText('after', help);
  const subcommand = subcommandsOf(command, help);
  subcommand('list', 'list jobs, the newest first, or search them', true)
    .addOption(queueOption())
    .addOption(new Option('--state <state>', 'only jobs in this state').choices([...states]))
    .option('--text <text>', 'only jobs with this text in their id, idempotency key, error or payload')
    .option('--owner <owner>', 'only jobs of this owner (operators)')
    .option('--parent <id>', 'only jobs that this job submitted')
    .option('--limit <n>', 'jobs per page, 1 to 100', '20')
    .option('--cursor <cursor>', 'where the page begins, as the page before says')
    .action(list);
  subcommand('show', 'print a job in full: its request, its history, its outcome')
    .addArgument(jobArgument())
    .action(async (id: string, options: Options) => {
      const client = await openApi(options);
      const [job, timeline] = await Promise.all([
        client.call<JobView>('GET', pathOf(id)),
        client.call<TimelineAnswer>('GET', `${pathOf(id)}/timeline`),
      ]);
      print(options, { job, timeline }, () => jobText(job, timeline));
    });
  withFilter(subcommand('cancel', 'cancel a job that has not ended, or all that a filter fits'), 'cancel')
    .argument('[id]', 'the job')
    .action(async (id: string | undefined, options: ActOptions) => {
      if (id === undefined) return await actOnJobs('cancel', options);
      const client = await openApi(options);
      printJob(options, await client.call<JobView>('DELETE', pathOf(id)));
    });
  withFilter(subcommand('redrive', 'put a failed job, or all that a filter fits, back into the queue'), 'redrive')
    .argument('[id]', 'the job')
    .addOption(
      new Option(
        '--unknown-effects <verdict>',
        'where effects of the job may or may not have happened: what you found out at the provider',
      ).choices([...unknownEffectDecisions]),
    )
    .action(async (id: string | undefined, options: ActOptions & { unknownEffects?: string }) => {
      const { unknownEffects: verdict } = options;
      if (id === undefined && verdict !== undefined)
        throw wrongUse('--unknown-effects: expected the id of one job, got none: it is found out job by job.');
      if (id === undefined) return await actOnJobs('redrive', options);
      const client = await openApi(options);
      const body = verdict === undefined ? undefined : { unknown_effects: verdict };
      printJob(options, await client.call<JobView>('POST', `${pathOf(id)}/redrive`, body));
    });
  withFilter(subcommand('expire', 'end all jobs that a filter fits and that have not begun'), 'expire').action(
    async (options: ActOptions) => await actOnJobs('expire', options),
  );
  withFilter(subcommand('reprioritise', 'give all waiting jobs that a filter fits another priority'), 'reprioritise')
    .argument('<priority>', '0 runs first, 1000 last')
    .action(
      async (priority: string, options: ActOptions) =>
        await actOnJobs('reprioritise', options, numberOf('priority', priority)),
    );
  subcommand('wait', 'wait until jobs have ended, and print how')
    .argument('<id...>', 'the jobs')
    .option('--timeout <seconds>', 'how long at most (default: as long as it takes)')
    .action(waitForJobs);
  return command;
}

async function list({ url, home, json, ...filter }: ListOptions): Promise<void> {
  const client = await openApi({ ...(url !== undefined && { url }), home });
  const page = await readPage(client, filter);
  print({ json: json ?? false }, page, () => jobTable(page.data));
  if (json) return;
  if (page.searched_to !== null)
    process.stderr.write(`searched as far as the jobs accepted since ${page.searched_to}; the next page goes on\n`);
  if (page.next_cursor !== null) process.stderr.write(`more: --cursor ${page.next_cursor}\n`);
}

async function readPage(client: Client, filter: Readonly<Record<string, string>>): Promise<JobPage> {
  return await client.call<JobPage>('GET', `/v1/jobs?${new URLSearchParams(filter).toString()}`);
}

function jobArgument(): Argument {
  return new Argument('<id>', 'the job');
}

function pathOf(id: string): string {
  return `/v1/jobs/${encodeURIComponent(id)}`;
}

function printJob(options: Printing, job: JobView): void {
  print(options, job, () => jobTable([job]));
}
