import { Anchor, SegmentedControl } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { usePeriod } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import { PastCharts } from './past-charts.tsx';
import type { Past, PastFigures } from './past-option.ts';
import classes from './past-panel.module.css';
import { figureColumns } from './past-table.tsx';
import { spans } from './spans.ts';

/** Chooses a span, with the part of the past that is read of it: it moves on as seldom as it is read again. */
function useSpan() {
  const [span, setSpan] = useState(spans[0]!);
  const { seconds, step, every } = span;
  const from = new Date((usePeriod(every) * every - seconds) * 1_000).toISOString();
  return { span, setSpan, query: { from, step } };
}

type Part = PastFigures & { readonly name: string | null };

/** The past of all queues that the visitor may know of, and of each. */
export function AllPastPanel() {
  const chosen = useSpan();
  const { data, error, refetch } = useCall(
    'GET /v1/operations/history',
    { query: chosen.query },
    { placeholderData: keepPreviousData },
  );
  return (
    <PastPanel
      chosen={chosen}
      past={data}
      error={error}
      retry={() => void refetch()}
      parts={data?.queues ?? []}
      partName="Queue"
    />
  );
}

/** The past of a queue, and of its groups; nothing for a visitor who may not. */
export function QueuePastPanel({ queue }: { readonly queue: string }) {
  const chosen = useSpan();
  const { data, error, refetch } = useCall(
    'GET /v1/queues/{name}/history',
    { path: { name: queue }, query: chosen.query },
    { placeholderData: keepPreviousData },
  );
  const rest = data?.rest ? [{ name: null, ...data.rest }] : [];
  return (
    <PastPanel
      chosen={chosen}
      past={data}
      error={error}
      retry={() => void refetch()}
      parts={[...(data?.groups ?? []), ...rest]}
      partName="Group"
    />
  );
}

interface Props {
  readonly chosen: ReturnType<typeof useSpan>;
  readonly past: Past | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly parts: readonly Part[];
  readonly partName: 'Queue' | 'Group';
}

function PastPanel({ chosen: { span, setSpan }, past, error, retry, parts, partName }: Props) {
  return (
    <Panel
      title="Past"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="How far back"
          data={spans.map(({ label }) => label)}
          value={span.label}
          onChange={(label) => setSpan(spans.find((one) => one.label === label) ?? spans[0]!)}
        />
      }
    >
      {error && <Fault error={error} retry={retry} />}
      {!error && !past && <Loading what="the past" />}
      {past?.points.length === 0 && (
        <Empty title={`Nothing is known of ${span.words}`}>
          Figures are kept from the first start of this release on, while an API process runs.
        </Empty>
      )}
      {past && past.points.length > 0 && (
        <>
          <PastCharts past={past} words={span.words} />
          <p className={classes['note']}>
            {counted(past.points.length, 'step')} of {stepWords(past.step_seconds)}. What is grey is not known.
            Quantiles are within 4 %.
            {past.grafana !== null && (
              <>
                {' '}
                <Anchor href={past.grafana} target="_blank" rel="noreferrer" inherit underline="always">
                  The same time in Grafana
                </Anchor>
              </>
            )}
          </p>
          {parts.length > 0 && (
            <div className={classes['parts']}>
              <DataTable
                label={`${partName}s in ${span.words}`}
                rows={parts}
                keyOf={({ name }) => (name === null ? 'rest' : `part ${name}`)}
                empty={null}
                columns={[
                  {
                    title: partName,
                    cell: ({ name }) =>
                      partName === 'Queue' && name !== null ? (
                        <Link href={`/queues/${name}`}>{name}</Link>
                      ) : (
                        <span className="breaks">{name ?? 'All others'}</span>
                      ),
                  },
                  ...figureColumns,
                ]}
              />
            </div>
          )}
        </>
      )}
    </Panel>
  );
}

const stepUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Length of a step in words: `10 minutes`, `1 day`. */
function stepWords(seconds: number): string {
  const [unit, size] = stepUnits.find(([, one]) => seconds % one === 0) ?? stepUnits[2];
  return counted(seconds / size, unit);
}
