import { plain } from '#src/commands/terminal/text-table.ts';
import type { FleetView, QueueView } from '#src/http/views/operations-view.ts';
import type { WorkerView } from '#src/http/views/worker-view.ts';
import { counted } from '#src/lib/text/counted.ts';
import { idleNote } from './queue-note.ts';
import { takenText } from './workers.ts';

/** Figures of one event of the stream of operations. */
export interface Figures {
  readonly at: string;
  readonly whose: 'all' | 'own';
  readonly queues: readonly QueueView[];
  readonly fleets: readonly FleetView[] | null;
  /** Workers elsewhere, the first of all there are. */
  readonly workers: { readonly total: number; readonly list: readonly WorkerView[] };
}

export interface Frame {
  readonly columns: number;
  readonly rows: number;
}

interface Column {
  readonly head: string;
  /** The first to go where the width is short is that of the highest rank. */
  readonly rank: number;
  readonly cell: (queue: QueueView) => string;
  /** Set where it is text, and aligned to the left. */
  readonly text?: boolean;
}

const count = (n: number): string => (n === 0 ? '·' : String(n));

const columns: readonly Column[] = [
  { head: 'queue', rank: 0, cell: ({ name }) => name, text: true },
  { head: 'queued', rank: 0, cell: ({ depth }) => count(depth.queued) },
  { head: 'delayed', rank: 5, cell: ({ depth }) => count(depth.delayed) },
  { head: 'running', rank: 1, cell: ({ depth }) => count(depth.running) },
  { head: 'waiting', rank: 6, cell: ({ depth }) => count(depth.waiting) },
  { head: 'held', rank: 7, cell: ({ depth }) => count(depth.held) },
  { head: 'approval', rank: 8, cell: ({ depth }) => count(depth.awaiting_approval) },
  { head: 'oldest', rank: 3, cell: ({ oldest_waiting_seconds: age }) => (age === 0 ? '·' : shortTime(age)) },
  { head: 'drain', rank: 4, cell: drainCell },
  { head: '/min', rank: 2, cell: ({ per_minute: rate }) => count(rate) },
  { head: 'done 5m', rank: 9, cell: ({ finished }) => count(finished.succeeded) },
  { head: 'failed 5m', rank: 2, cell: ({ finished }) => count(finished.failed) },
  { head: '', rank: 1, cell: pauseCell, text: true },
];

/** A time in at most four characters: `45s`, `12m`, `3h`, `9d`. */
export function shortTime(seconds: number): string {
  if (seconds < 99.5) return `${Math.round(seconds)}s`;
  if (seconds < 99.5 * 60) return `${Math.round(seconds / 60)}m`;
  if (seconds < 99.5 * 3_600) return `${Math.round(seconds / 3_600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

/**
 * Queues, fleets and workers elsewhere as lines, none wider than the frame and not more of them than fit below `taken`
 * others.
 */
export function topLines(
  { queues, fleets, workers }: Figures,
  { columns: width, rows }: Frame,
  taken: number,
): string[] {
  const room = Math.max(2, rows - taken);
  const crew = [
    ...(fleets ? ['', ...fleetLines(fleets, width)] : []),
    ...(workers.total > 0 ? ['', ...workerLines(workers, width)] : []),
  ];
  const brief = [...(fleets ? [fleetsInBrief(fleets)] : []), ...(workers.total > 0 ? [workersInBrief(workers)] : [])];
  // queues come first: where all do not fit, fleets and workers are said in a line each
  const below = queues.length + 1 + crew.length <= room ? crew : brief;
  const lines = queueLines(queues, width, Math.max(2, room - below.length));
  return [...lines, ...below].slice(0, room).map((line) => cut(line, width));
}

function queueLines(queues: readonly QueueView[], width: number, room: number): string[] {
  if (queues.length + 1 <= room) return table(queues, width);
  const most = Math.max(0, room - 2);
  const names = new Set(queues.toSorted((a, b) => weight(b) - weight(a)).slice(0, most));
  const rest = queues.filter((queue) => !names.has(queue));
  const busy = rest.filter((queue) => weight(queue) > 0).length;
  return [
    ...table(
      queues.filter((queue) => names.has(queue)),
      width,
    ),
    `… ${rest.length} more queues${busy > 0 ? `, ${busy} of them with jobs` : ', all idle'}`,
  ];
}

/** Orders queues by urgency: pauses first, then the work that waits. */
function weight({ paused, workers, depth, finished }: QueueView): number {
  // without those that are suspended: they ask nothing of a worker
  const jobs = depth.queued + depth.running + depth.delayed + depth.held + depth.awaiting_approval;
  const isStuck = workers === 0 && jobs > 0;
  return (paused || isStuck ? 1e12 : 0) + jobs * 1_000 + finished.failed * 10 + finished.succeeded;
}

function table(queues: readonly QueueView[], width: number): string[] {
  const all = columns.map((column) => {
    const cells = [column.head, ...queues.map((queue) => plain(column.cell(queue)))];
    return { ...column, cells, width: Math.max(...cells.map((cell) => cell.length)) };
  });
  const shown = all.filter((column) => column.width > 0);
  const total = () => shown.reduce((sum, column) => sum + column.width + 2, -2);
  while (total() > width && shown.some(({ rank }) => rank > 0)) {
    // the reason of a pause is cut rather than left out
    const last = shown.at(-1);
    if (last?.head === '' && total() - last.width + 'paused …'.length <= width) break;
    const first = Math.max(...shown.map(({ rank }) => rank));
    shown.splice(
      shown.findLastIndex(({ rank }) => rank === first),
      1,
    );
  }
  return ['', ...queues].map((_, row) =>
    shown
      .map(({ cells, width: wide, text }) =>
        text ? (cells[row] ?? '').padEnd(wide) : (cells[row] ?? '').padStart(wide),
      )
      .join('  ')
      .trimEnd(),
  );
}

function drainCell({ paused, depth, drain_seconds: seconds }: QueueView): string {
  if (depth.queued === 0 || paused) return '·';
  return seconds === null ? 'never' : shortTime(seconds);
}

function pauseCell(queue: QueueView): string {
  const { paused } = queue;
  if (!paused) return idleNote(queue);
  return `paused by ${paused.by}${paused.reason ? `: ${paused.reason}` : ''}`;
}

function fleetLines(fleets: readonly FleetView[], width: number): string[] {
  const names = Math.max('fleet'.length, ...fleets.map(({ name }) => plain(name).length));
  const line = (name: string, workers: string, running: string, hosts: string) =>
    cut(`${name.padEnd(names)}  ${workers.padStart(7)}  ${running.padStart(7)}  ${hosts}`.trimEnd(), width);
  return [
    line('fleet', 'workers', 'running', ''),
    ...fleets.map(({ name, workers }) =>
      line(
        plain(name),
        count(workers.length),
        count(workers.reduce((sum, { running }) => sum + running, 0)),
        workers.map(({ host, pid, suspects }) => `${plain(host)}:${pid}${suspects ? ' (suspects)' : ''}`).join(', '),
      ),
    ),
  ];
}

function fleetsInBrief(fleets: readonly FleetView[]): string {
  return `workers: ${fleets.map(({ name, workers }) => `${plain(name)} ${workers.length}`).join(', ')}`;
}

function workerLines({ total, list }: Figures['workers'], width: number): string[] {
  const names = Math.max('elsewhere'.length, ...list.map(({ name }) => plain(name).length));
  const line = (name: string, running: string, free: string, capacity: string, taken: string) =>
    cut(
      `${name.padEnd(names)}  ${running.padStart(7)}  ${free.padStart(4)}  ${capacity.padStart(7)}  ${taken}`.trimEnd(),
      width,
    );
  return [
    line('elsewhere', 'in hand', 'free', 'at once', ''),
    ...list.map(({ name, running, credits, capacity, queues }) =>
      line(plain(name), count(running), count(credits), count(capacity), takenText(queues)),
    ),
    ...(total > list.length ? [`… ${total - list.length} more workers`] : []),
  ];
}

function workersInBrief({ total, list }: Figures['workers']): string {
  const sum = (of: (worker: WorkerView) => number) => list.reduce((all, worker) => all + of(worker), 0);
  const hands = `${sum(({ running }) => running)} of ${sum(({ capacity }) => capacity)} hands busy`;
  return `elsewhere: ${counted(total, 'worker')}, ${total > list.length ? `of the first ${list.length} ` : ''}${hands}`;
}

/** A line no wider than this; where it is cut it says so. */
export function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
