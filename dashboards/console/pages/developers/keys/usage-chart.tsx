import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Chart } from '#console/ui/charts/chart.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { counted } from '#src/lib/text/counted.ts';
import { type Usage, usageByDay } from './usage-days.ts';

const spans = ['14', '30', '90'];

/** Calls of a key by day, the capabilities upon each other. */
export function UsageChart({ usage, at }: { readonly usage: Usage; readonly at: number }) {
  const [span, setSpan] = useState('14');
  const { days, series } = usageByDay(usage, Number(span), at);
  const total = series.reduce((sum, { calls }) => sum + calls.reduce((left, right) => left + right, 0), 0);
  return (
    <Panel
      title="Calls by day"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Days that are shown"
          data={spans.map((value) => ({ value, label: counted(value, 'day') }))}
          value={span}
          onChange={setSpan}
        />
      }
    >
      {total === 0 ? (
        <Empty title={`No call in the last ${counted(span, 'day')}`}>
          Counted are calls that name a capability: those of the studio, of chat, of orchestration, and of tools.
        </Empty>
      ) : (
        <Chart
          label={`${counted(total, 'call')} in the last ${counted(span, 'day')}, by day and capability; the table below has the same numbers.`}
          height="17rem"
          merge={false}
          option={{
            grid: { left: 44, right: 12, top: 36, bottom: 28 },
            legend: { top: 0, left: 0, type: 'plain' },
            tooltip: { renderMode: 'richText', trigger: 'axis', axisPointer: { type: 'shadow' } },
            xAxis: { type: 'category', data: days.map((day) => day.slice(5)) },
            yAxis: { type: 'value', minInterval: 1 },
            series: series.map(({ name, calls }) => ({
              name,
              type: 'bar',
              stack: 'calls',
              data: calls,
              barMaxWidth: 28,
            })),
          }}
        />
      )}
    </Panel>
  );
}
