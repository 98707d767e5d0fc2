import { Chart } from '#console/ui/charts/chart.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { spell } from '#console/ui/time.tsx';
import type { Moment } from './use-operations.ts';

/** Less than this long is drawn as this long: of a moment alone no course is seen. */
const leastMilliseconds = 60_000;

/** Queued and running jobs since the page was opened. */
export function LoadPanel({ past }: { readonly past: readonly Moment[] }) {
  const first = past[0];
  const last = past.at(-1);
  if (!first || !last) return null;
  const seconds = Math.round((last.at - first.at) / 1_000);
  const line = (name: string, of: 'queued' | 'running') => ({
    name,
    type: 'line',
    step: 'end',
    showSymbol: past.length === 1,
    lineStyle: { width: 1.5 },
    areaStyle: { opacity: 0.08 },
    data: past.map((moment) => [moment.at, moment[of]]),
  });
  return (
    <Panel title="Load" aside={seconds > 0 ? `last ${spell(seconds)}` : 'from now on'}>
      <Chart
        label={`Jobs over time: ${last.queued} are queued and ${last.running} run now.`}
        height="18rem"
        option={{
          grid: { left: 36, right: 8, top: 28, bottom: 22 },
          legend: { top: 0, right: 0 },
          tooltip: { trigger: 'axis' },
          xAxis: {
            type: 'time',
            min: Math.min(first.at, last.at - leastMilliseconds),
            max: last.at,
            axisLabel: { hideOverlap: true },
          },
          yAxis: { type: 'value', minInterval: 1, min: 0 },
          series: [line('Running', 'running'), line('Queued', 'queued')],
        }}
      />
    </Panel>
  );
}
