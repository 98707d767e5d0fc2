import { type Command, Option } from 'commander';
import { queueNames } from '#queues/fleets.ts';
import { type AccessOptions, openApi } from '#src/commands/client/api-access.ts';
import type { Client } from '#src/commands/client/api-client.ts';
import { suggest } from '#src/commands/completion/command-levels.ts';
import { isAgreed } from '#src/commands/terminal/agree.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { stopSignal } from '#src/commands/terminal/stop-signal.ts';
import { type Action, actionStates } from '#src/jobs/model/action-states.ts';
import type { JobSummaryView, JobView } from '#src/jobs/model/job-view.ts';
import { states } from '#src/jobs/model/states.ts';
import { AppError } from '#src/lib/errors.ts';
import { counted } from '#src/lib/text/counted.ts';
import { jobTable } from './jobs-text.ts';
import { wrongUse } from './read-payload.ts';
import { endOf } from './wait-for-jobs.ts';

/** Filter and manner of an action on many jobs, as the command has them. */
export interface ActOptions extends AccessOptions, Printing {
  readonly queue?: string;
  readonly state?: string;
  readonly owner?: string;
  readonly parent?: string;
  readonly group?: string;
  readonly errorCode?: string;
  readonly olderThan?: string;
  readonly createdBefore?: string;
  readonly createdAfter?: string;
  readonly text?: string;
  readonly rate?: string;
  readonly preview?: true;
  readonly yes?: true;
}

interface Preview {
  readonly token: string;
  readonly count: number;
  readonly sample: readonly JobSummaryView[];
}

/** Queues of the product of which there are jobs: those that fleets consume, and that of flows, which goes on by itself. */
const builtIn = [...queueNames, 'flows.run'].toSorted();

/** Takes any queue, since owners register theirs; completion suggests those that are built in. */
export function queueOption(): Option {
  return suggest(new Option('--queue <queue>', 'only jobs of this queue, built in or registered'), builtIn);
}

/** Gives a command the options of an action on many jobs. */
export function withFilter(command: Command, action: Action): Command {
  return command
    .addOption(queueOption())
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(statesOf(action)))
    .option('--owner <owner>', 'only jobs of this owner (operators)')
    .option('--parent <id>', 'only jobs that this job submitted')
    .option('--group <name>', 'only jobs that were submitted with this group')
    .option('--error-code <code>', 'only jobs that failed, or failed last, with this code')
    .option('--older-than <seconds>', 'only jobs that were accepted so long ago, or longer')
    .option('--created-before <time>', 'only jobs that were accepted before this time, RFC 3339')
    .option('--created-after <time>', 'only jobs that were accepted at this time or later')
    .option('--text <text>', 'only jobs with this text in their id, idempotency key, error or payload')
    .option('--rate <n>', 'most jobs in a second')
    .option('--preview', 'show what would be done, and do nothing')
    .option('--yes', 'do it without asking');
}

function statesOf(action: Action): string[] {
  const taken: readonly string[] = actionStates[action];
  return states.filter((state) => taken.includes(state));
}

/**
 * Shows what an action would be about, asks, does it, and waits for its end. Exit code 1 where a job could not be moved.
 *
 * @throws AppError `invalid_request` without a filter, `cancelled` without the answer yes
 */
export async function actOnJobs(action: Action, options: ActOptions, priority?: number): Promise<void> {
  const filter = filterOf(options);
  if (Object.keys(filter).length === 0)
    throw wrongUse('expected the id of a job, or a filter such as --queue, got neither.');
  const rate = numberOf('--rate', options.rate);
  const stop = stopSignal();
  const client = await openApi(options, stop);
  const previewed = await client.call<Preview>('POST', '/v1/jobs/actions', {
    action,
    filter,
    preview: true,
    ...(priority !== undefined && { priority }),
  });
  if (options.preview) return print(options, previewed, () => previewText(action, previewed));
  process.stderr.write(`${previewText(action, previewed)}\n`);
  if (previewed.count === 0) return;
  if (!options.yes && !(await isAgreed(`${action} ${counted(previewed.count, 'job')}?`)))
    throw new AppError('cancelled', 'Nothing was done: expected the answer yes, or the option --yes.');
  await begin(client, previewed.token, { ...options, stop, ...(rate !== undefined && { perSecond: rate }) });
}

async function begin(
  client: Client,
  token: string,
  { stop, perSecond, ...options }: ActOptions & { readonly stop: AbortSignal; readonly perSecond?: number },
): Promise<void> {
  const body = { token, ...(perSecond !== undefined && { rate: perSecond }) };
  const { id } = await client.call<JobView>('POST', '/v1/jobs/actions', body);
  process.stderr.write(`the job ${id} does it\n`);
  const job = await endOf(client, id, stop).catch((error: unknown) => {
    throw stop.aborted ? new AppError('cancelled', `Stopped as asked; the job ${id} goes on.`) : error;
  });
  print(options, job, () => resultText(job));
  const failed = job.progress?.failed ?? 0;
  if (job.state !== 'succeeded' || failed > 0) process.exitCode = 1;
}

function previewText(action: Action, { count, sample }: Preview): string {
  const heading = `${action} is about ${counted(count, 'job')}`;
  if (count === 0) return `${heading}.`;
  const more = count > sample.length ? `\n… and ${count - sample.length} more` : '';
  return `${heading}:\n${jobTable(sample)}${more}`;
}

function resultText(job: JobView): string {
  const { progress } = job;
  if (progress === undefined) return jobTable([job]);
  const { jobs, over, done, skipped, skippedBy, failed, failedBy } = progress;
  const counts = [`${done} done`, withReasons(skipped, 'skipped', skippedBy), withReasons(failed, 'failed', failedBy)];
  const rest = jobs > over ? [`${jobs - over} left as they were`] : [];
  const text = [...counts, ...rest].join(', ');
  return job.state === 'succeeded' ? text : `${jobTable([job])}\n${text}`;
}

function withReasons(count: number, word: string, by: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(by).map(([why, n]) => `${n} ${why}`);
  return reasons.length === 0 ? `${count} ${word}` : `${count} ${word} (${reasons.join(', ')})`;
}

function filterOf(options: ActOptions): Readonly<Record<string, unknown>> {
  const { queue, state, owner, parent, group, errorCode, createdBefore, createdAfter, text } = options;
  const age = numberOf('--older-than', options.olderThan);
  const given = {
    queue,
    state,
    owner,
    parent,
    group,
    error_code: errorCode,
    older_than_s: age,
    created_before: createdBefore,
    created_after: createdAfter,
    text,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** @throws AppError `invalid_request` for a text that is no whole number */
export function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongUse(`${option}: expected a whole number from 0, got ${JSON.stringify(text)}.`);
}
