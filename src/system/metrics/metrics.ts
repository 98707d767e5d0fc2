import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricName, metricTable } from './metric-table.ts';

type Table = typeof metricTable;
type Made<N extends MetricName> = Table[N]['kind'] extends 'counter'
  ? Counter
  : Table[N]['kind'] extends 'gauge'
    ? Gauge
    : Histogram;

/** Every metric of the table, live, under its own name; `registry` writes the exposition. */
export type Metrics = { readonly [N in MetricName]: Made<N> } & { readonly registry: Registry };

const makers = { counter: Counter, gauge: Gauge, histogram: Histogram };

export function openMetrics(): Metrics {
  const registry = new Registry();
  const made = Object.entries(metricTable).map(([name, { kind, help, labels, ...rest }]) => {
    const Maker = makers[kind] as typeof Histogram;
    const buckets = 'buckets' in rest ? { buckets: [...rest.buckets] } : {};
    return [name, new Maker({ name, help, labelNames: [...labels], registers: [registry], ...buckets })];
  });
  const metrics = { ...Object.fromEntries(made), registry } as Metrics;
  collectProcess(registry);
  collectEventLoop(metrics);
  return metrics;
}

/** prom-client's process metrics, without the three gauges whose `_total` names promtool refuses. */
function collectProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`);
}

function collectEventLoop({ proofline_event_loop_delay_seconds: gauge }: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  // prom-client calls `collect` at every scrape
  Object.assign(gauge, {
    collect() {
      for (const percentile of [50, 90, 99])
        gauge.set({ percentile: String(percentile) }, delay.percentile(percentile) / 1e9);
      delay.reset();
    },
  });
}
