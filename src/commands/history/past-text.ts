import { plain, shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import { shownSeconds } from '#src/lib/text/shown-seconds.ts';

/** Times of many attempts, in seconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Figures of jobs in a time, as the API tells them. */
export interface PastFigures {
  readonly submitted: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly retried: number;
  readonly wait: Times | null;
  readonly run: Times | null;
}

export interface PastPoint extends PastFigures {
  readonly at: string;
  readonly complete: boolean;
}

/** A part of the past that has steps. */
export interface Past {
  readonly from: string;
  readonly to: string;
  readonly step_seconds: number;
  readonly points: readonly PastPoint[];
  readonly total: PastFigures;
}

const levels = '▁▂▃▄▅▆▇█';

/** Jobs that ended in a step, whatever became of them. */
export const endedIn = ({ succeeded, failed, cancelled, expired }: PastFigures): number =>
  succeeded + failed + cancelled + expired;

/**
 * Jobs that ended as a line of bars, the highest as high as a letter: one bar for each step, or for as many together as
 * `width` asks for. A blank stands where nothing is known.
 */
export function sparkline({ from, to, step_seconds: step, points }: Past, width: number): string {
  const begin = Date.parse(from);
  const steps = Math.ceil((Date.parse(to) - begin) / (step * 1_000));
  const bars = Math.min(width, steps);
  const sums = Array.from({ length: bars }, (): number | null => null);
  for (const point of points) {
    const place = Math.floor((((Date.parse(point.at) - begin) / (step * 1_000)) * bars) / steps);
    if (place >= 0 && place < bars) sums[place] = (sums[place] ?? 0) + endedIn(point);
  }
  const most = Math.max(1, ...sums.map((sum) => sum ?? 0));
  return sums
    .map((sum) => (sum === null ? ' ' : (levels[Math.ceil((sum / most) * (levels.length - 1))] ?? '')))
    .join('');
}

const heading = ['', 'submitted', 'succeeded', 'failed', 'cancelled', 'expired', 'retried', 'wait p50', 'p95', 'p99'];

const cells = (name: string, one: PastFigures): string[] => [
  name,
  ...[one.submitted, one.succeeded, one.failed, one.cancelled, one.expired, one.retried].map(String),
  ...timesCells(one.wait),
  ...timesCells(one.run),
];

const timesCells = (times: Times | null): string[] =>
  times === null ? ['·', '·', '·'] : [times.p50, times.p95, times.p99].map(shownSeconds);

/** Figures of some parts as a table: steps of time, groups or queues, and all together below. */
export function pastTable(
  what: string,
  parts: readonly (readonly [string, PastFigures])[],
  total?: PastFigures,
): string {
  return textTable([
    [what, ...heading.slice(1), 'run p50', 'p95', 'p99'],
    ...parts.map(([name, one]) => cells(plain(name), one)),
    ...(total ? [cells('together', total)] : []),
  ]);
}

/** Name of a step in such a table: when it begins, and whether a part of it is not known. */
export function stepName({ at, complete }: PastPoint): string {
  return complete ? shownTime(at) : `${shownTime(at)} …`;
}

/** The last hour of all queues in one line. */
export function lastHourLine(past: Past): string {
  const { total } = past;
  const part = (name: string, times: Times | null) =>
    times === null ? [] : [`${name} p95 ${shownSeconds(times.p95)}`];
  const parts = [
    `${endedIn(total)} ended`,
    `${total.failed} failed`,
    ...part('wait', total.wait),
    ...part('run', total.run),
  ];
  return `last hour ▕${sparkline(past, 60)}▏ ${parts.join(', ')}`;
}
