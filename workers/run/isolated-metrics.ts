import { Counter, Histogram } from 'prom-client';
import { type MetricName, metricTable } from '#src/system/metrics/metric-table.ts';
import type { Metrics } from '#src/system/metrics/metrics.ts';
import type { Counted } from './isolated-messages.ts';

type Labels = Readonly<Record<string, string>>;

/** Forwards every change of a counter or histogram of this process to `notify`, in the order it happened. */
export function forwardMetrics(metrics: Metrics, notify: (counted: Counted) => void): void {
  const forward = (name: MetricName, standard: number) => (first?: Labels | number, second?: number) => {
    const labels = typeof first === 'object' ? first : {};
    notify({ kind: 'counted', name, labels, value: (typeof first === 'number' ? first : second) ?? standard });
  };
  for (const name of Object.keys(metricTable) as MetricName[]) {
    const metric = metrics[name];
    if (metric instanceof Counter) Object.assign(metric, { inc: forward(name, 1) });
    if (metric instanceof Histogram) Object.assign(metric, { observe: forward(name, 0) });
  }
}

/** Counts here what happened in the isolated process. */
export function countForIsolated(metrics: Metrics, { name, labels, value }: Counted): void {
  const metric = metrics[name];
  if (metric instanceof Counter) metric.inc(labels, value);
  if (metric instanceof Histogram) metric.observe(labels, value);
}
