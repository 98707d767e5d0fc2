import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { type AccessOptions, accessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import { readPayload } from '#src/commands/jobs/read-payload.ts';
import { waitForJobs } from '#src/commands/jobs/wait-for-jobs.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { FlowSummary, FlowView } from '#src/http/flows/flow-body.ts';
import { states } from '#src/jobs/model/states.ts';

const help = `${accessHelp} The key needs the scope jobs.submit.

Examples:
  $ proofline flows submit thumbnails.json --wait          jobs that follow each other; docs/flows.md has the file
  $ proofline flows show 01a20ad8-230f-7ece-864d-ee97b4b33d9b
  $ proofline flows cancel 01a20ad8-230f-7ece-864d-ee97b4b33d9b
  $ proofline flows redrive 01a20ad8-230f-7ece-864d-ee97b4b33d9b    runs again what did not succeed

Exit codes: 0 done (with --wait: the flow succeeded); 1 refused or failed; 2 wrong use; 3 the wait is over, and the flow has
not ended.`;

type Options = AccessOptions & Printing;

interface ListOptions extends Options {
  readonly state?: string;
  readonly text?: string;
}

interface SubmitOptions extends Options {
  readonly wait?: true | string;
  readonly idempotencyKey?: string;
}

/** The commands of flows: jobs that follow each other. */
export function flowsCommand(): Command {
  const command = new Command('flows').description('jobs that follow each other').addHelpText('after', help);
  const sub = (name: string, about: string, isDefault = false) =>
    withJson(withAccess(command.command(name, { isDefault }).description(about))).addHelpText('after', help);
  sub('list', 'print your newest flows', true)
    .addOption(new Option('--state <state>', 'only those in it').choices([...states]))
    .option('--text <text>', 'only those with it in their name, or of this id')
    .action(list);
  sub('submit', 'submit one')
    .argument('<flow>', 'a file of JSON, or - for standard input')
    .option('--wait [seconds]', 'wait until it has ended, without a number for as long as it takes')
    .option('--idempotency-key <key>', 'the same again gives the same flow')
    .action(submit);
  sub('show', 'print one with its nodes')
    .argument('<id>', 'the flow')
    .action(async (id: string, options: Options) => await show(options, 'GET', id));
  sub('cancel', 'cancel one, and its jobs that have not ended')
    .argument('<id>', 'the flow')
    .action(async (id: string, options: Options) => await show(options, 'DELETE', id));
  sub('redrive', 'run again what of one did not succeed that failed or was cancelled')
    .argument('<id>', 'the flow')
    .action(async (id: string, options: Options) => await show(options, 'POST', id, '/redrive'));
  return command;
}

async function submit(file: string, { wait, idempotencyKey = randomUUID(), ...options }: SubmitOptions): Promise<void> {
  const body = await readPayload(file);
  const client = await openApi(options);
  const flow = await client.call<FlowView>('POST', '/v1/flows', body, { 'idempotency-key': idempotencyKey });
  if (wait !== undefined) return await waitForJobs([flow.id], { ...options, ...(wait !== true && { timeout: wait }) });
  print(options, flow, () => flow.id);
}

async function show(options: Options, method: 'GET' | 'POST' | 'DELETE', id: string, more = ''): Promise<void> {
  const client = await openApi(options);
  const flow = await client.call<FlowView>(method, `/v1/flows/${encodeURIComponent(id)}${more}`);
  print(options, flow, () => flowText(flow));
}

async function list({ state, text, ...options }: ListOptions): Promise<void> {
  const client = await openApi(options);
  const query = new URLSearchParams({
    limit: '50',
    ...(state !== undefined && { state }),
    ...(text !== undefined && { text }),
  });
  const page = await client.call<{ readonly data: readonly FlowSummary[] }>('GET', `/v1/flows?${query.toString()}`);
  print(options, page, () =>
    textTable([
      ['flow', 'name', 'state', 'nodes', 'submitted'],
      ...page.data.map((one) => [
        one.id,
        one.name ?? '',
        one.state,
        `${one.nodes_ended} of ${one.nodes}`,
        shownTime(one.created_at),
      ]),
    ]),
  );
}

/** A flow as lines: its state, and a line a node with what it waits for and how many of its jobs have ended. */
function flowText({ id, name, state, error, nodes }: FlowView): string {
  const rows = nodes.map((node) => [
    node.name,
    node.state,
    node.queue,
    node.depends_on.join(', '),
    node.total === null ? '' : `${node.succeeded + node.failed + node.cancelled} of ${node.total}`,
    node.warning ?? node.error?.message ?? '',
  ]);
  return [
    `${name ?? id}: ${state}${error ? ` (${error.message})` : ''}`,
    textTable([['node', 'state', 'queue', 'after', 'ended', ''], ...rows]),
  ].join('\n');
}
