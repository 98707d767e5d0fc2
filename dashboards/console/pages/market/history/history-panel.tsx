import { SegmentedControl, Select } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { Legend } from '#console/pages/market/parts/legend.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { FiguresTable } from '#console/ui/data/figures-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { isFigure, momentAtExchange } from '#src/lib/charts/figures.ts';
import { type HistoryName, histories, historyOf } from './histories.ts';
import { historyOption, type Point } from './history-option.ts';
import { useHistory } from './use-history.ts';

const spans = [
  { value: '7', label: '1 week' },
  { value: '31', label: '1 month' },
  { value: '366', label: '1 year' },
] as const;

/** Rows that the table shows: the newest. */
const TABLE = 200;

/** Past figures of the feed. */
export function HistoryPanel({ symbol }: ViewProps) {
  const [name, setName] = useState<HistoryName>('levels');
  const [days, setDays] = useState('31');
  const palette = usePalette();
  const { call, title, unit, lines, format } = historyOf(name);
  const { rows, isReading, isCut, error, retry, latest } = useHistory(call, symbol, Number(days));
  // pages come faster than some machines draw
  const points = useDeferredValue(rows) as readonly Point[];
  const option = useMemo(() => historyOption(name, points, palette), [name, points, palette]);
  const count = `${points.length.toLocaleString('en-US')} points`;
  return (
    <Panel
      title={`History of ${symbol}`}
      aside={
        <div className={classes['controls']}>
          <Select
            aria-label="Figure"
            data={Object.entries(histories).map(([value, one]) => ({ value, label: one.title }))}
            value={name}
            allowDeselect={false}
            onChange={(value) => setName((value ?? 'levels') as HistoryName)}
          />
          <SegmentedControl size="xs" aria-label="How far back" data={[...spans]} value={days} onChange={setDays} />
        </div>
      }
    >
      {error && <Fault error={error} retry={retry} />}
      {!error &&
        points.length === 0 &&
        (isReading ? <Loading what={`history of ${symbol}`} /> : <Nothing symbol={symbol} />)}
      {points.length > 0 && (
        <>
          <Legend entries={lines.map((line) => [line.tone, line.name] as const)} note={unit} />
          <Chart option={option} label={sentence(symbol, title, unit, points)} height="25rem" merge={false} />
          <p className={classes['note']}>
            <output>{isReading ? `${count} so far, more are coming` : count}</output>
            {isCut && ' of more; choose a shorter span to see all of it'}. Ctrl and the wheel, or the slider, come
            nearer. {latest && <Freshness of={latest} />}
          </p>
          <FiguresTable
            label={`${title} of ${symbol}, the newest ${TABLE}`}
            rows={points.slice(-TABLE).toReversed()}
            keyOf={({ as_of }) => as_of}
            columns={[
              { title: 'New York time', cell: ({ as_of }) => momentAtExchange(as_of) },
              ...lines.map((line) => ({
                title: line.name,
                number: true,
                cell: (row: Point) => format(figure(row[line.field])),
              })),
            ]}
          />
        </>
      )}
    </Panel>
  );
}

function Nothing({ symbol }: { readonly symbol: string }) {
  return (
    <Empty title={`Nothing of ${symbol} is kept for this time`}>
      The feed keeps its figures once a minute while it runs. Choose a longer span, or let it run; chains that were
      uploaded have no history.
    </Empty>
  );
}

function figure(value: unknown): number | null {
  return typeof value === 'number' && isFigure(value) ? value : null;
}

function sentence(symbol: string, title: string, unit: string, rows: readonly Point[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  const span =
    first && last ? ` from ${momentAtExchange(first.as_of)} to ${momentAtExchange(last.as_of)} New York time` : '';
  return `${title} of ${symbol}, ${unit}: ${rows.length} points${span}.`;
}
