import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { alerts, runbookOf } from '#dashboards/prometheus/alert-table.ts';
import { objectiveRecordings, objectives } from '#dashboards/prometheus/objectives.ts';
import { queueTargets } from '#dashboards/prometheus/queue-targets.ts';
import { recordings } from '#dashboards/prometheus/recordings.ts';
import { ruleFiles } from '#dashboards/prometheus/rule-files.ts';
import { fleets } from '#queues/fleets.ts';
import { queues } from '#queues/index.ts';
import { metricTable } from '#src/system/metrics/metric-table.ts';
import { knownSeries } from './known-series.ts';
import { parsePromql } from './promql.ts';

const folder = join(import.meta.dirname, '../../dashboards/prometheus');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const recorded = [...recordings, ...objectiveRecordings];
const exprs = [
  ...recorded.map(({ record, expr }) => [record, expr] as const),
  ...alerts.flatMap(({ name, rules }) => rules.map(({ expr }) => [name, expr] as const)),
];

test('the files of rules are what their tables make (else: node bin/proofline.mjs run dashboards/write.ts)', () => {
  for (const [name, text] of Object.entries(ruleFiles)) expect(read(name), name).toBe(text);
  const files = ['rules', 'tests'].flatMap((name) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`));
  expect(files.toSorted()).toEqual(Object.keys(ruleFiles).toSorted());
});

test('every expression is PromQL, names series that there are, and asks for labels that those have', async () => {
  const known = await knownSeries();
  for (const [name, expr] of exprs) {
    const { wrongAt, selectors, grouped } = parsePromql(expr);
    expect(wrongAt === undefined ? '' : expr.slice(wrongAt), name).toBe('');
    const labels = selectors.map(({ metric }) => known.get(metric) ?? expect.fail(`${name}: no series ${metric}`));
    for (const [n, { metric, matched }] of selectors.entries())
      for (const label of matched) expect([...labels[n]!], `${name}: ${metric}{${label}}`).toContain(label);
    for (const label of grouped)
      expect(
        labels.some((own) => own.has(label)),
        `${name}: by ${label}`,
      ).toBe(true);
  }
});

test('a recorded series is grouped by the labels that it says it has', () => {
  for (const { record, expr, by, labels = {} } of recorded) {
    const { grouped } = parsePromql(expr);
    const own = new Set([...grouped.filter((label) => label !== 'le'), ...Object.keys(labels)]);
    expect([...own].toSorted(), record).toEqual(by.toSorted());
  }
});

test('every queue has alerts with the bounds of its own, every fleet one for its absence, every promise a budget', () => {
  const named = (name: string) => alerts.find((each) => each.name === name)?.rules ?? [];
  expect(queueTargets.map(({ queue }) => queue)).toEqual([...queues.keys()]);
  for (const queue of queues.keys()) {
    for (const name of ['QueueWaitsTooLong', 'QueueDrainsSlowly', 'QueueNotConsumed']) {
      const own = named(name).filter(({ labels }) => labels?.['queue'] === queue);
      expect(own.map(({ expr }) => expr.includes(`queue="${queue}"`))).toEqual([true]);
    }
    for (const slo of ['job-success', 'job-wait']) {
      const { budgets } = objectives.find(({ name }) => name === slo)!;
      const [own, ...more] = budgets.filter(({ labels }) => labels['queue'] === queue);
      expect(own?.share).toBeGreaterThan(0);
      expect(own?.share).toBeLessThan(0.5);
      expect(more).toEqual([]);
    }
  }
  expect(named('FleetGone').map(({ labels }) => labels?.['fleet'])).toEqual(Object.keys(fleets));
});

test('bounds that promises are counted by are bounds of the histograms', () => {
  const bucketsOf = (name: string) => {
    const metric = metricTable[name.replace(/_bucket$/, '') as 'proofline_job_wait_seconds'];
    return metric.buckets.map(String);
  };
  const found = objectiveRecordings.flatMap(({ expr }) => [
    ...expr.matchAll(/(proofline_\w+_bucket)\{[^}]*le=~?"([\d.]+)/g),
  ]);
  expect(found.length).toBeGreaterThan(objectives.length);
  for (const [, metric = '', bound = ''] of found) expect(bucketsOf(metric), metric).toContain(bound);
});

test('every alert says what is wrong, what to do and where more is said, and has a trial', () => {
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  for (const alert of alerts) {
    const { name, summary, description, anchor, trial } = alert;
    expect(name).toMatch(/^([A-Z][a-z]+)+$/);
    expect(summary, name).toMatch(/^.{15,160}\.$/);
    expect(description, name).toMatch(/^.{40,500}\.$/);
    expect(anchor).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    expect(runbookOf(alert)).toBe(`deploy/RUNBOOK.md#${anchor}`);
    expect(trial.fires.length, name).toBeGreaterThan(0);
    // what an annotation shows of a value, its trial must know
    expect(/\$value/.test(summary + description), name).toBe(trial.value !== undefined);
  }
  const tested = ['tests/alerts.yaml', 'tests/objectives.yaml'].flatMap((name) =>
    (parse(read(name)).tests as { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[]).flatMap(
      ({ alert_rule_test: trials = [] }) => trials.filter((trial) => trial.exp_alerts.length > 0),
    ),
  );
  expect(tested.map(({ alertname }) => alertname).toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});
