import { Command } from 'commander';
import { type AccessOptions, jobAccessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { WorkerView } from '#src/http/views/worker-view.ts';

const help = `${jobAccessHelp}
The key needs the scope jobs.work. These are workers elsewhere, which register over HTTP; \`top\` shows them live, and beside
them the fleets that run here. Free are the hands that a worker had free when it last asked for jobs.

Examples:
  $ npm run -s proofline -- workers
  $ npm run -s proofline -- workers --json | jq '.data[] | select(.running > 0) | .name'

Exit codes: 0 done; 1 refused or failed; 2 wrong use.`;

type Options = AccessOptions & Printing;

export function workersCommand(): Command {
  const command = new Command('workers').description('list connected workers').addHelpText('after', help);
  withJson(withAccess(command.command('list', { isDefault: true }).description('every live worker elsewhere')))
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const client = await openApi(options);
      const list = await client.call<{ readonly data: readonly WorkerView[] }>('GET', '/v1/workers');
      print(options, list, () => workerTable(list.data));
    });
  return command;
}

const heading = ['id', 'name', 'queues', 'in hand', 'free', 'at once', 'since', 'last beat', 'library'];

function workerTable(list: readonly WorkerView[]): string {
  return textTable([heading, ...list.map(cells)]);
}

function cells({ id, name, queues, running, credits, capacity, started_at, beat_at, sdk }: WorkerView): string[] {
  const figures = [running, credits, capacity].map(String);
  return [id, name, takenText(queues), ...figures, shownTime(started_at), shownTime(beat_at), sdk ?? ''];
}

/** Queues with the versions that a worker takes: `acme.resize-image@2,1`. */
export function takenText(queues: WorkerView['queues']): string {
  return queues.map(({ name, versions }) => `${name}@${versions.join(',')}`).join(' ');
}
