import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metricsMarkdown } from '#src/commands/data/metrics.ts';
import { metricTable } from '#src/system/metrics/metric-table.ts';
import { openMetrics } from '#src/system/metrics/metrics.ts';

test('docs/metrics.md lists exactly the metrics there are', () => {
  expect(readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8')).toBe(metricsMarkdown());
});

test('every process exposes the metrics of the table, and no other of ours', async () => {
  const text = await openMetrics().registry.metrics();
  const exposed = [...text.matchAll(/^# TYPE (proofline_\S+)/gm)].map(([, name]) => name ?? '');
  expect(exposed.toSorted()).toEqual(Object.keys(metricTable).toSorted());
});

test('names follow Prometheus: counters end in _total, times are in seconds, shares are ratios', () => {
  for (const [name, { kind }] of Object.entries(metricTable)) {
    expect(name).toMatch(/^proofline_[a-z0-9]+(_[a-z0-9]+)*$/);
    expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|percent|mb)(_|$)/);
    if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});
