import { Argument, Command } from 'commander';
import { queueNames } from '#queues/fleets.ts';
import { type AccessOptions, jobAccessHelp, openApi } from '#src/commands/client/api-access.ts';
import { subcommandsOf } from '#src/commands/client/subcommands.ts';
import { suggest } from '#src/commands/completion/command-levels.ts';
import { printHistory } from '#src/commands/history/queue-history.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { QueueView } from '#src/http/views/operations-view.ts';
import { applyQueues } from './apply-queues.ts';
import { idleNote } from './queue-note.ts';
import { printGroups, printRules, withRule, writeRule } from './queue-rules.ts';
import { showQueue } from './show-queue.ts';

const help = `${jobAccessHelp}

Examples:
  $ npm run -s proofline -- queues
  $ npm run -s proofline -- queues show acme.resize-image
  $ npm run -s proofline -- queues pause analytics.stress --reason "a new model"
  $ npm run -s proofline -- queues resume analytics.stress
  $ npm run -s proofline -- queues apply jobs.json
  $ npm run -s proofline -- queues rule acme.resize-image --group acme --weight 3 --concurrency 10
  $ npm run -s proofline -- queues rule acme.resize-image --rate 100/60
  $ npm run -s proofline -- queues groups acme.resize-image
  $ npm run -s proofline -- queues history acme.resize-image --since 24h

Exit codes: 0 done; 1 refused or failed; 2 wrong use.`;

type Options = AccessOptions & Printing;

interface QueueList {
  readonly at: string;
  readonly whose: 'all' | 'own';
  readonly data: readonly QueueView[];
}

export function queuesCommand(): Command {
  const command = new Command('queues')
    .description('list, show, register, pause and resume queues')
    .addHelpText('after', help);
  const subcommand = subcommandsOf(command, help);
  subcommand('list', 'the status of every queue; `top` shows it live', true).action(async (options: Options) => {
    const client = await openApi(options);
    const list = await client.call<QueueList>('GET', '/v1/queues');
    print(options, list, () => queueTable(list.data));
  });
  subcommand('show', 'the contracts of a queue, the newest version first')
    .addArgument(queueArgument())
    .action(showQueue);
  subcommand('pause', 'start no job of a queue until it is resumed (operators); what runs goes on')
    .addArgument(queueArgument())
    .option('--reason <text>', 'why, for callers and operators who find the queue paused')
    .action(async (name: string, { reason, ...options }: Options & { reason?: string }) => {
      const body = reason === undefined ? undefined : { reason };
      printQueue(options, await post(options, `${pathOf(name)}/pause`, body));
    });
  subcommand('resume', 'start the jobs of a paused queue again (operators)')
    .addArgument(queueArgument())
    .action(async (name: string, options: Options) =>
      printQueue(options, await post(options, `${pathOf(name)}/resume`)),
    );
  subcommand('groups', 'who waits in a queue, by group').addArgument(queueArgument()).action(printGroups);
  subcommand('rules', 'the weights, limits and pauses of a queue, its groups and owners')
    .addArgument(queueArgument())
    .action(printRules);
  withRule(subcommand('rule', 'write a rule of a queue, or of a group or an owner in it, or take it away'))
    .addArgument(queueArgument())
    .action(writeRule);
  subcommand('history', 'the past of a queue, or of all: how many jobs, how they ended, how long they waited and ran')
    .addArgument(optionalQueueArgument())
    .option('--since <time>', 'begin: so long ago (90m, 24h, 30d), or an instant', '1h')
    .option('--step <length>', 'length of a step: 1m, 10m, 1h, 1d; one that suits the time without it')
    .option('--group <name>', 'only jobs of this group of the queue')
    .action(printHistory);
  subcommand('apply', 'register the queues of a file, and their changes')
    .argument('<file>', 'JSON: [{"name", "version", "contract"}, …]')
    .action(applyQueues);
  return command;
}

async function post(options: AccessOptions, path: string, body?: unknown): Promise<QueueView> {
  return await (await openApi(options)).call<QueueView>('POST', path, body);
}

function optionalQueueArgument(): Argument {
  return suggest(new Argument('[queue]', 'the queue, built in or registered; all of them without it'), queueNames);
}

function queueArgument(): Argument {
  // others may be registered, and the API knows them
  return suggest(new Argument('<queue>', 'the queue, built in or registered'), queueNames);
}

function pathOf(name: string): string {
  return `/v1/queues/${encodeURIComponent(name)}`;
}

function printQueue(options: Printing, queue: QueueView): void {
  print(options, queue, () => queueTable([queue]));
}

const heading = [
  'queue',
  'queued',
  'delayed',
  'running',
  'waiting',
  'held',
  'approval',
  'oldest',
  'a minute',
  'failed',
  'paused',
];

/** Queues as people read them, one a line below a heading. */
function queueTable(list: readonly QueueView[]): string {
  return textTable([heading, ...list.map(cells)]);
}

function cells(queue: QueueView): string[] {
  const { name, depth, oldest_waiting_seconds, per_minute, finished, paused } = queue;
  const { queued, delayed, running, waiting, held, awaiting_approval } = depth;
  const figures = [queued, delayed, running, waiting, held, awaiting_approval].map(String);
  const pause = paused
    ? `by ${paused.by} since ${shownTime(paused.at)}${paused.reason ? `: ${paused.reason}` : ''}`
    : idleNote(queue);
  return [name, ...figures, `${oldest_waiting_seconds} s`, `${per_minute}`, `${finished.failed}`, pause];
}
