import { Anchor, SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
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
import type { Past } from './past-option.ts';
import classes from './past-panel.module.css';
import { figureColumns } from './past-table.tsx';
import { type Span, spans } from './spans.ts';

interface Asked {
  readonly from: string;
  readonly step: string;
}

/** The time that is asked for; it moves on as seldom as it is read again. */
function useAsked({ seconds, step, every }: Span): Asked {
  const place = usePeriod(every);
  return useMemo(
    () => ({ from: new Date((place * every - seconds) * 1_000).toISOString(), step }),
    [place, every, seconds, step],
  );
}

interface Read {
  readonly past: Past | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly parts: readonly Part[];
  readonly partName: 'Queue' | 'Group';
}

type Part = Past['total'] & { readonly name: string | null };

/** The past of all queues that the visitor may know of, and of each. */
export function AllPastPanel() {
  const [span, setSpan] = useState(spans[0]!);
  const { data, error, refetch } = useCall(
    'GET /v1/operations/history',
    { query: useAsked(span) },
    { placeholderData: keepPreviousData },
  );
  const read = {
    past: data,
    error,
    retry: () => void refetch(),
    parts: data?.queues ?? [],
    partName: 'Queue',
  } as const;
  return <PastPanel title="Past" span={span} setSpan={setSpan} read={read} />;
}

/** The past of a queue, and of its groups; nothing for a visitor who may not. */
export function QueuePastPanel({ queue }: { readonly queue: string }) {
  const [span, setSpan] = useState(spans[0]!);
  const { data, error, refetch } = useCall(
    'GET /v1/queues/{name}/history',
    { path: { name: queue }, query: useAsked(span) },
    { placeholderData: keepPreviousData },
  );
  const rest = data?.rest ? [{ name: null, ...data.rest }] : [];
  const parts: readonly Part[] = [...(data?.groups ?? []), ...rest];
  return (
    <PastPanel
      title="Past"
      span={span}
      setSpan={setSpan}
      read={{ past: data, error, retry: () => void refetch(), parts, partName: 'Group' }}
    />
  );
}

interface Props {
  readonly title: string;
  readonly span: Span;
  readonly setSpan: (span: Span) => void;
  readonly read: Read;
}

function PastPanel({ title, span, setSpan, read: { past, error, retry, parts, partName } }: Props) {
  const scheme = useComputedColorScheme('light');
  return (
    <Panel
      title={title}
      aside={
        <SegmentedControl
          size="xs"
          aria-label="How far back"
          data={spans.map(({ value, label }) => ({ value, label }))}
          value={span.value}
          onChange={(value) => setSpan(spans.find((one) => one.value === value) ?? spans[0]!)}
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
          <PastCharts past={past} words={span.words} scheme={scheme} />
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
