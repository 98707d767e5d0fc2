import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { FiguresView, PointView } from '#src/http/operations/history-view.ts';
import { shownSeconds } from '#src/lib/text/shown-seconds.ts';

/** Figures that are shown of those that an answer has. */
export type PastFigures = Omit<FiguresView, 'started'>;
type PastPoint = Omit<PointView, 'started'>;
type Times = PastFigures['wait'];

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
const endedIn = ({ succeeded, failed, cancelled, expired }: PastFigures): number =>
  succeeded + failed + cancelled + expired;

/**
 * Jobs that ended as a line of bars, the highest as high as a letter: one bar for each step, or for as many together as
 * `width` asks for. A blank stands where nothing is known.
 */
export function sparkline({ from, to, step_seconds: step, points }: Past, width: number): string {
  const begin = Date.parse(from);
  const stepOf = (at: string) => (Date.parse(at) - begin) / (step * 1_000);
  const steps = Math.ceil(stepOf(to));
  const bars = Math.min(width, steps);
  const sums = Array.from({ length: bars }, (): number | null => null);
  for (const point of points) {
    const place = Math.floor((stepOf(point.at) * bars) / steps);
    if (place >= 0 && place < bars) sums[place] = (sums[place] ?? 0) + endedIn(point);
  }
  const most = Math.max(1, ...sums.map((sum) => sum ?? 0));
  return sums
    .map((sum) => (sum === null ? ' ' : (levels[Math.ceil((sum / most) * (levels.length - 1))] ?? '')))
    .join('');
}

const counts = ['submitted', 'succeeded', 'failed', 'cancelled', 'expired', 'retried'] as const;
const quantiles = ['p50', 'p95', 'p99'] as const;

const cells = (name: string, one: PastFigures): string[] => [
  name,
  ...counts.map((count) => String(one[count])),
  ...timesCells(one.wait),
  ...timesCells(one.run),
];

const timesCells = (times: Times): string[] =>
  quantiles.map((quantile) => (times === null ? '·' : shownSeconds(times[quantile])));

/** Figures of some parts as a table: steps of time, groups or queues, and all together below. */
export function pastTable(
  what: string,
  parts: readonly (readonly [string, PastFigures])[],
  total?: PastFigures,
): string {
  return textTable([
    [what, ...counts, 'wait p50', 'p95', 'p99', 'run p50', 'p95', 'p99'],
    ...parts.map(([name, one]) => cells(name, one)),
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
  const part = (name: string, times: Times) => (times === null ? [] : [`${name} p95 ${shownSeconds(times.p95)}`]);
  const parts = [
    `${endedIn(total)} ended`,
    `${total.failed} failed`,
    ...part('wait', total.wait),
    ...part('run', total.run),
  ];
  return `last hour ▕${sparkline(past, 60)}▏ ${parts.join(', ')}`;
}
