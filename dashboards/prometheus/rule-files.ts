import { stringify } from 'yaml';
import { alertGroups, runbookOf } from './alert-table.ts';
import { objectiveRecordings } from './objectives.ts';
import { objectiveRuns, recordingRuns } from './recording-trials.ts';
import { recordings } from './recordings.ts';
import type { AlertFamily, Recording } from './rule.ts';

const head = (what: string) =>
  `# ${what}\n# Written by \`node bin/proofline.mjs run dashboards/write.ts\` from the tables beside it: change those.\n`;
const yaml = (what: string, value: object) =>
  head(what) + stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

const recorded = ({ record, expr, labels }: Recording) => ({ record, expr, ...(labels && { labels }) });

function ruled(family: AlertFamily) {
  const { name, severity, summary, description, rules } = family;
  return rules.map(({ expr, labels }) => ({
    alert: name,
    expr,
    ...(family.for !== undefined && { for: family.for }),
    labels: { severity, ...labels },
    annotations: { summary, description, runbook_url: runbookOf(family) },
  }));
}

const alwaysFires = 'Watchdog';
const groupNames = ['proofline-recordings', 'proofline-budgets', ...Object.keys(alertGroups)];

/** Expands the annotations of an alert with these labels. */
function expanded(text: string, labels: Readonly<Record<string, string>>, value = ''): string {
  return text
    .replaceAll(
      /\{\{ or \$labels\.(\w+) "([^"]*)" \}\}/g,
      (_, label: string, without: string) => labels[label] ?? without,
    )
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '')
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, value);
}

function expectation(family: AlertFamily, fires: AlertFamily['trial']['fires']) {
  const { name, severity, summary, description, trial } = family;
  return {
    eval_time: trial.at,
    alertname: name,
    exp_alerts: fires.map((labels) => ({
      exp_labels: { severity, ...labels },
      exp_annotations: {
        summary: expanded(summary, labels, trial.value),
        description: expanded(description, labels, trial.value),
        runbook_url: runbookOf(family),
      },
    })),
  };
}

/** One run of the rules over the series of families that share it. */
function run(families: readonly AlertFamily[], kind: 'firing' | 'calm') {
  const series = families.flatMap(({ trial }) => Object.entries(trial[kind]));
  return {
    interval: '1m',
    input_series: series.map(([each, values]) => ({ series: each, values })),
    alert_rule_test: families.map((family) => expectation(family, kind === 'firing' ? family.trial.fires : [])),
  };
}

/**
 * The runs that prove these alerts: under each that it fires, under each that it does not. A run takes its time, so
 * alerts share one whose series are of different metrics: the series of one are not read by the other.
 */
function runs(families: readonly AlertFamily[]) {
  return [
    ...apart(families, 'firing').map((all) => run(all, 'firing')),
    ...apart(
      families.filter(({ name }) => name !== alwaysFires),
      'calm',
    ).map((all) => run(all, 'calm')),
  ];
}

function apart(families: readonly AlertFamily[], kind: 'firing' | 'calm'): readonly (readonly AlertFamily[])[] {
  const shared: { readonly metrics: Set<string>; readonly families: AlertFamily[] }[] = [];
  for (const family of families) {
    const metrics = new Set(Object.keys(family.trial[kind]).map(metricOf));
    const fitting = shared.find((one) => one.metrics.isDisjointFrom(metrics));
    if (fitting) {
      fitting.families.push(family);
      for (const metric of metrics) fitting.metrics.add(metric);
    } else shared.push({ metrics, families: [family] });
  }
  return shared.map((one) => one.families);
}

function metricOf(series: string): string {
  return series.replace(/\{.*/, '');
}

function testFile(what: string, files: readonly string[], tests: readonly object[]) {
  return yaml(what, {
    rule_files: files.map((name) => `../rules/${name}.yaml`),
    evaluation_interval: '1m',
    group_eval_order: groupNames,
    tests,
  });
}

const { 'proofline-objectives': ofObjectives = [], ...others } = alertGroups;

/** Files that Prometheus and promtool read, by name. */
export const ruleFiles: Readonly<Record<string, string>> = {
  'rules/recordings.yaml': yaml('What dashboards, alerts and autoscaling read.', {
    groups: [{ name: groupNames[0], rules: recordings.map(recorded) }],
  }),
  'rules/objectives.yaml': yaml('What is promised, and how much of it is kept, over every window.', {
    groups: [{ name: groupNames[1], rules: objectiveRecordings.map(recorded) }],
  }),
  'rules/alerts.yaml': yaml('Alerts for operators. Each alert says what to do, and where the runbook says more.', {
    groups: Object.entries(alertGroups).map(([name, families]) => ({ name, rules: families.flatMap(ruled) })),
  }),
  'tests/alerts.yaml': testFile(
    'For `promtool test rules`: every alert fires when it should, and not when it nearly should.',
    ['recordings', 'alerts'],
    [...runs(Object.values(others).flat()), ...recordingRuns],
  ),
  'tests/objectives.yaml': testFile(
    'For `promtool test rules`: budgets that burn, and budgets that do not.',
    ['objectives', 'alerts'],
    [...runs(ofObjectives), ...objectiveRuns],
  ),
};
