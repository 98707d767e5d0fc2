import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type AccessOptions, jobAccessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import type { Client } from '#src/commands/client/api-client.ts';
import { followLive } from '#src/commands/client/follow-live.ts';
import { type Printing, printLine, withJson } from '#src/commands/terminal/print.ts';
import { stopSignal } from '#src/commands/terminal/stop-signal.ts';
import { plain } from '#src/commands/terminal/text-table.ts';
import type { LogLine } from '#src/jobs/log/log-store.ts';
import type { JobView } from '#src/jobs/model/job-view.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { endOf } from './wait-for-jobs.ts';

const help = `${jobAccessHelp}
Logs are no record: of each job the newest 500 lines are kept, for some days; \`jobs show\` has the record.

Examples:
  $ npm run -s proofline -- logs 0198c0de-0000-7000-8000-000000000000
  $ npm run -s proofline -- logs 0198c0de-0000-7000-8000-000000000000 --follow --json

Exit codes: 0 done, or stopped as asked; 1 refused or failed; 2 wrong use.`;

/**
 * Milliseconds for which logs are followed after a job's end: the runner writes about the last attempt when it is over.
 */
const lastWordsMs = 1_000;

interface Options extends AccessOptions, Printing {
  readonly follow?: boolean;
}

export function logsCommand(): Command {
  return withJson(withAccess(new Command('logs').description('print what a job said while it ran')))
    .argument('<job>', 'the job')
    .option('-f, --follow', 'go on until the job has ended')
    .addHelpText('after', help)
    .action(logs);
}

async function logs(job: string, options: Options): Promise<void> {
  const stop = stopSignal();
  const client = await openApi(options, stop);
  const unlessStopped = (error: unknown) => {
    if (!stop.aborted) throw error;
    return undefined;
  };
  const show = (line: LogLine) => printLine(options, line, () => lineText(line));
  let last = options.follow ? await followLines(client, job, stop, show).catch(unlessStopped) : undefined;
  if (stop.aborted) return;
  // lines from its very end may be published after the end
  for await (const line of keptLines(client, job, last)) {
    show(line);
    last = line.id;
  }
  if (last === undefined && !options.json) process.stderr.write('it has said nothing, or it is too long ago\n');
}

/** Shows lines as they are said until the job has ended; gives the id of the last one. */
async function followLines(
  client: Client,
  job: string,
  stop: AbortSignal,
  show: (line: LogLine) => void,
): Promise<string | undefined> {
  const ended = new AbortController();
  const signal = AbortSignal.any([stop, ended.signal]);
  const end = endOf(client, job, signal)
    .then(async () => await sleep(lastWordsMs, undefined, { signal }).catch(() => {}))
    .finally(() => ended.abort());
  const isOver = async () => isTerminal((await client.call<JobView>('GET', `/v1/jobs/${job}`)).state);
  const onLost = (why: string) => void process.stderr.write(`lost the stream (${why}); trying again\n`);
  let last: string | undefined;
  const read = async () => {
    for await (const { type, data } of followLive(client, `${pathOf(job)}/events`, { signal, onLost, isOver })) {
      for (const line of type === 'log' ? [data as unknown as LogLine] : keptIn(data)) {
        show(line);
        last = line.id;
      }
    }
  };
  await Promise.all([end, read().finally(() => ended.abort())]);
  return last;
}

/** The lines in a `reset`, which comes where some of those before are not kept any more; none in other events. */
function keptIn({ snapshot }: { readonly snapshot?: { readonly data?: readonly LogLine[] } }): readonly LogLine[] {
  return snapshot?.data ?? [];
}

async function* keptLines(client: Client, job: string, after: string | undefined): AsyncGenerator<LogLine> {
  for (let cursor: string | null | undefined = after; cursor !== null; ) {
    const query: string = new URLSearchParams({ limit: '500', ...(cursor && { after: cursor }) }).toString();
    const page: { data: LogLine[]; next_cursor: string | null } = await client.call('GET', `${pathOf(job)}?${query}`);
    yield* page.data;
    cursor = page.next_cursor;
  }
}

function lineText({ at, level, attempt, message, fields }: LogLine): string {
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  return `${at} ${level.padEnd(5)} #${attempt} ${plain(message)}${plain(more)}`;
}

function pathOf(job: string): string {
  return `/v1/jobs/${encodeURIComponent(job)}/logs`;
}
