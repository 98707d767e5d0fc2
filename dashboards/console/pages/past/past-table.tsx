import type { Column } from '#console/ui/data/data-table.tsx';
import { Time } from '#console/ui/time.tsx';
import { shownSeconds } from '#src/lib/text/shown-seconds.ts';
import type { PastFigures, PastPoint } from './past-option.ts';

const number =
  (of: (row: PastFigures) => number) =>
  (row: PastFigures): string =>
    of(row).toLocaleString();

/** A time, or a dash where none was measured. */
const time = (seconds: number | undefined) =>
  seconds === undefined ? <span className="quiet">–</span> : shownSeconds(seconds);

/** Columns of figures of the past, behind those that name the row. */
export const figureColumns: readonly Column<PastFigures>[] = [
  { title: 'Submitted', number: true, from: 'md', cell: number(({ submitted }) => submitted) },
  { title: 'Succeeded', number: true, cell: number(({ succeeded }) => succeeded) },
  { title: 'Failed', number: true, cell: number(({ failed }) => failed) },
  { title: 'Cancelled', number: true, from: 'lg', cell: number(({ cancelled }) => cancelled) },
  { title: 'Expired', number: true, from: 'lg', cell: number(({ expired }) => expired) },
  { title: 'Retried', number: true, from: 'lg', cell: number(({ retried }) => retried) },
  { title: 'Wait p50', number: true, from: 'lg', cell: ({ wait }) => time(wait?.p50) },
  { title: 'Wait p95', number: true, from: 'md', cell: ({ wait }) => time(wait?.p95) },
  { title: 'Wait p99', number: true, from: 'lg', cell: ({ wait }) => time(wait?.p99) },
  { title: 'Run p50', number: true, from: 'lg', cell: ({ run }) => time(run?.p50) },
  { title: 'Run p95', number: true, cell: ({ run }) => time(run?.p95) },
  { title: 'Run p99', number: true, from: 'lg', cell: ({ run }) => time(run?.p99) },
];

/** Columns of the steps of a time. */
export const stepColumns: readonly Column<PastPoint>[] = [
  {
    title: 'From',
    cell: ({ at, complete }) => (
      <>
        <Time at={at} />
        {!complete && <span className="quiet"> (in part)</span>}
      </>
    ),
  },
  ...figureColumns,
];
