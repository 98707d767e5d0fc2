import { Command, Option } from 'commander';
import { type AccessOptions, accessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import { wrongUse } from '#src/commands/jobs/read-payload.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { EndpointView } from '#src/governance/notifications/endpoints/endpoint-body.ts';
import { formats } from '#src/governance/notifications/endpoints/event-types.ts';
import { AppError } from '#src/lib/errors.ts';

const help = `${accessHelp} The key needs the scope jobs.manage.

Examples:
  $ proofline endpoints add https://example.com/hooks --events 'job.failed,approval.*'
  $ proofline endpoints add https://hooks.slack.com/services/… --format slack --events 'job.failed' --queues acme.send-report
  $ proofline endpoints add mailto:ada@example.com --format mail --events 'budget.*,approval.waiting'
  $ proofline endpoints test 01a2…                          a real message now, and what came back
  $ proofline endpoints log --endpoint 01a2… --state failed
  $ proofline endpoints replay 01a2… --from 2026-11-23T08:00:00Z --state failed

Exit codes: 0 done; 1 refused or failed, or the test was not taken; 2 wrong use.`;

type Options = AccessOptions & Printing;
type WithSecret = EndpointView & { readonly secret: string };

interface AddOptions extends Options {
  readonly events: string;
  readonly title?: string;
  readonly format?: string;
  readonly queues?: string;
  readonly groups?: string;
  readonly symbols?: string;
  readonly everyOwner?: true;
}

interface TestAnswer {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly took_ms: number;
}

interface DeliveryLine {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: string;
}

/** The commands of endpoints: addresses that are notified of what happens. */
export function endpointsCommand(): Command {
  const command = new Command('endpoints')
    .description('addresses that are notified of what happens')
    .addHelpText('after', help);
  const sub = (name: string, about: string, isDefault = false) =>
    withJson(withAccess(command.command(name, { isDefault }).description(about))).addHelpText('after', help);
  sub('list', 'print your endpoints', true).action(async (options: Options) => {
    const client = await openApi(options);
    const { data } = await client.call<{ data: readonly EndpointView[] }>('GET', '/v1/webhook-endpoints');
    print(options, { data }, () => table(data));
  });
  sub('add', 'make one; its secret is printed once')
    .argument('<url>', 'an https address, or mailto: with --format mail')
    .requiredOption('--events <types>', 'types of events, with commas: job.failed, job.*, approval.*, budget.*, …')
    .option('--title <text>', 'its name')
    .addOption(new Option('--format <format>', 'as which messages come').choices([...formats]))
    .option('--queues <names>', 'of events of jobs only those of these queues, with commas')
    .option('--groups <names>', 'of events of jobs only those of these groups, with commas')
    .option('--symbols <symbols>', 'of market signals only those of these, with commas')
    .option('--every-owner', 'operators: events of all owners')
    .action(add);
  sub('test', 'send one a message now, and print what came back').argument('<id>', 'the endpoint').action(test);
  sub('rotate', 'give one a new secret; the one before is good for a day')
    .argument('<id>', 'the endpoint')
    .action(async (id: string, options: Options) => {
      const client = await openApi(options);
      const made = await client.call<WithSecret>('POST', `${pathOf(id)}/rotate-secret`);
      print(options, made, () => secretText(made));
    });
  sub('log', 'print deliveries, newest first')
    .option('--endpoint <id>', 'only those to this one')
    .addOption(
      new Option('--state <state>', 'only those of this state').choices(['pending', 'sending', 'delivered', 'failed']),
    )
    .option('--limit <count>', 'at most so many, 1 to 100', '20')
    .action(log);
  sub('replay', 'send one delivery again, or those of a time to an endpoint')
    .argument('<id>', 'the delivery; with --from the endpoint')
    .option('--from <time>', 'the beginning of the time')
    .option('--to <time>', 'its end; now without it')
    .addOption(new Option('--state <state>', 'only those of this state').choices(['failed', 'delivered']))
    .action(replay);
  sub('remove', 'remove one with its deliveries')
    .argument('<id>', 'the endpoint')
    .action(async (id: string, options: Options) => {
      const client = await openApi(options);
      await client.call('DELETE', pathOf(id));
      print(options, { removed: id }, () => `${id} is removed.`);
    });
  return command;
}

async function add(url: string, options: AddOptions): Promise<void> {
  const { events, title, format, queues, groups, symbols, everyOwner } = options;
  const body = {
    url,
    events: listOf(events),
    ...(title !== undefined && { title }),
    ...(format !== undefined && { format }),
    ...(queues !== undefined && { queues: listOf(queues) }),
    ...(groups !== undefined && { groups: listOf(groups) }),
    ...(symbols !== undefined && { symbols: listOf(symbols) }),
    ...(everyOwner && { every_owner: true }),
  };
  const client = await openApi(options);
  const made = await client.call<WithSecret>('POST', '/v1/webhook-endpoints', body);
  print(options, made, () => secretText(made));
}

async function test(id: string, options: Options): Promise<void> {
  const client = await openApi(options);
  const answer = await client.call<TestAnswer>('POST', `${pathOf(id)}/test`);
  print(options, answer, () => `${answer.delivered ? 'delivered' : 'not delivered'} in ${answer.took_ms} ms`);
  if (!answer.delivered) throw new AppError('unavailable', answer.error ?? 'The receiver did not take the message.');
}

async function log(
  options: Options & { readonly endpoint?: string; readonly state?: string; readonly limit: string },
): Promise<void> {
  const { endpoint, state, limit } = options;
  const query = new URLSearchParams({ limit, ...(endpoint && { endpoint }), ...(state && { state }) }).toString();
  const client = await openApi(options);
  const page = await client.call<{ data: readonly DeliveryLine[] }>('GET', `/v1/webhook-deliveries?${query}`);
  const rows = page.data.map((one) => [
    one.id,
    one.type,
    one.state,
    String(one.attempts),
    one.last_status === null ? '' : String(one.last_status),
    shownTime(one.created_at),
    one.last_error ?? '',
  ]);
  print(options, page, () => textTable([['id', 'type', 'state', 'attempts', 'status', 'noted', 'error'], ...rows]));
}

async function replay(
  id: string,
  options: Options & { readonly from?: string; readonly to?: string; readonly state?: string },
): Promise<void> {
  const { from, to, state } = options;
  if (from === undefined && (to !== undefined || state !== undefined))
    throw wrongUse('--from: expected a time together with --to or --state, got none.');
  const client = await openApi(options);
  if (from === undefined) {
    const one = await client.call<DeliveryLine>('POST', `/v1/webhook-deliveries/${encodeURIComponent(id)}/replay`);
    print(options, one, () => `${one.type} is sent again.`);
    return;
  }
  const body = { from, ...(to !== undefined && { to }), ...(state !== undefined && { state }) };
  const answer = await client.call<{ readonly replayed: number }>('POST', `${pathOf(id)}/replay`, body);
  print(options, answer, () => `${answer.replayed} are sent again.`);
}

const heading = ['id', 'title', 'format', 'to', 'events', 'status'];

function table(endpoints: readonly EndpointView[]): string {
  return textTable([heading, ...endpoints.map(cells)]);
}

function cells({ id, title, format, url, events, ...rest }: EndpointView): string[] {
  const { enabled, failing_since: failing, rests_until: until } = rest;
  const pause = until === null ? '' : `, rests until ${shownTime(until)}`;
  const status = !enabled ? 'disabled' : failing === null ? 'enabled' : `failing since ${shownTime(failing)}${pause}`;
  return [id, title, format, url, events.join(', '), status];
}

function secretText(made: WithSecret): string {
  return `${table([made])}\n\nIts secret, which is not shown again: ${made.secret}`;
}

function listOf(text: string): string[] {
  return text.split(',').map((one) => one.trim());
}

function pathOf(id: string): string {
  return `/v1/webhook-endpoints/${encodeURIComponent(id)}`;
}
