import { type AccessOptions, openApi } from '#src/commands/client/api-access.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { durationMs } from '#src/lib/duration.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Past, type PastFigures, pastTable, sparkline, stepName } from './past-text.ts';

interface Options extends AccessOptions, Printing {
  readonly since: string;
  readonly step?: string;
  readonly group?: string;
}

type Part = PastFigures & { readonly name: string };

interface QueuePast extends Past {
  readonly groups: readonly Part[];
  readonly rest: PastFigures | null;
}

interface AllPast extends Past {
  readonly queues: readonly Part[];
}

/** Columns of the line of bars. */
const WIDTH = 72;

/** Prints the past of a queue, or without one of all queues: a line of bars, each step, and each group or queue. */
export async function printHistory(queue: string | undefined, options: Options): Promise<void> {
  const { since, step, group } = options;
  if (queue === undefined && group !== undefined)
    throw new AppError('invalid_request', '--group: expected a queue whose group it is, got none.');
  const query = new URLSearchParams({
    from: beginOf(since).toISOString(),
    ...(step !== undefined && { step }),
    ...(group !== undefined && { group }),
  });
  const path = queue === undefined ? '/v1/operations/history' : `/v1/queues/${encodeURIComponent(queue)}/history`;
  const past = await (await openApi(options)).call<QueuePast | AllPast>('GET', `${path}?${query.toString()}`);
  print(options, past, () => pastText(past));
}

/** Begin of a time that ends now: `90m`, `24h`, `30d` ago, or an instant. @throws AppError `invalid_request` */
export function beginOf(since: string, now = Date.now()): Date {
  const at = /^[1-9]\d{0,5}[mhd]$/.test(since) ? now - durationMs(since) : Date.parse(since);
  if (!Number.isNaN(at)) return new Date(at);
  throw new AppError(
    'invalid_request',
    `--since: expected a time such as 90m, 24h or 30d, or an instant in ISO 8601, got ${JSON.stringify(since)}.`,
  );
}

function pastText(past: QueuePast | AllPast): string {
  if (past.points.length === 0)
    return 'Nothing is known of this time: the past of queues is kept from the first start on.';
  const named = ({ name, ...one }: Part) => [name, one] as const;
  const parts = 'groups' in past ? past.groups.map(named) : past.queues.map(named);
  const others = 'groups' in past && past.rest !== null ? [['(all others)', past.rest] as const] : [];
  return [
    `ended ▕${sparkline(past, WIDTH)}▏`,
    '',
    pastTable(
      'from',
      past.points.map((point) => [stepName(point), point] as const),
      past.total,
    ),
    ...(parts.length > 0 ? ['', pastTable('groups' in past ? 'group' : 'queue', [...parts, ...others])] : []),
  ].join('\n');
}
