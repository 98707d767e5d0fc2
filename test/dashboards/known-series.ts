import { objectiveRecordings } from '#dashboards/prometheus/objectives.ts';
import { recordings } from '#dashboards/prometheus/recordings.ts';
import { metricTable } from '#src/system/metrics/metric-table.ts';
import { openMetrics } from '#src/system/metrics/metrics.ts';

/** What Prometheus gives every series it scrapes. */
const scraped = ['job', 'instance'];

/** Every series that rules and dashboards may name, with its labels: ours, prom-client's, recorded ones, and `up`. */
export async function knownSeries(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const known = new Map<string, readonly string[]>([['up', []]]);
  for (const [name, { kind, labels }] of Object.entries(metricTable)) {
    if (kind === 'histogram') {
      known.set(`${name}_bucket`, [...labels, 'le']);
      known.set(`${name}_count`, labels);
      known.set(`${name}_sum`, labels);
    } else known.set(name, labels);
  }
  const exposed = await openMetrics().registry.metrics();
  for (const [, name = ''] of exposed.matchAll(/^((?:process|nodejs)_\w+)/gm)) known.set(name, []);
  const all = new Map([...known].map(([name, labels]) => [name, new Set([...labels, ...scraped])]));
  // one record may hold series of several promises, some by queue
  for (const { record, by } of [...recordings, ...objectiveRecordings])
    all.set(record, new Set([...(all.get(record) ?? []), ...by]));
  return all;
}
