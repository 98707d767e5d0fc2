import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boards, dashboardFiles } from '#dashboards/grafana/boards.ts';
import { alerts } from '#dashboards/prometheus/alert-table.ts';
import { queues } from '#queues/index.ts';
import { knownSeries } from './known-series.ts';
import { parsePromql } from './promql.ts';

const folder = join(import.meta.dirname, '../../dashboards/grafana');
const panels = boards.flatMap(({ name, sections }) =>
  sections.flatMap((section) => section.panels.map((panel) => ({ board: name, ...panel }))),
);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string; readonly thresholds?: unknown } };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
  readonly panels?: readonly Panel[];
}
interface Written {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
}

const written = Object.keys(dashboardFiles).map((name): [string, Written] => [
  name,
  JSON.parse(readFileSync(join(folder, name), 'utf8')),
]);
const allPanels = ({ panels: own }: Written) => own.flatMap((panel) => [panel, ...(panel.panels ?? [])]);

test('the dashboards are what their tables make (else: node bin/proofline.mjs run dashboards/write.ts)', () => {
  for (const [name, text] of Object.entries(dashboardFiles))
    expect(readFileSync(join(folder, name), 'utf8'), name).toBe(text);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  expect(files.toSorted()).toEqual(Object.keys(dashboardFiles).toSorted());
});

test('every expression is PromQL, names series that there are, and asks for labels that those have', async () => {
  const known = await knownSeries();
  for (const { board, title, targets } of panels)
    for (const [expr, legend] of targets) {
      const where = `${board}: ${title}: ${expr}`;
      const { wrongAt, selectors, grouped } = parsePromql(expr);
      expect(wrongAt === undefined ? '' : expr.slice(wrongAt), where).toBe('');
      const labels = selectors.map(({ metric }) => known.get(metric) ?? expect.fail(`${where}: no series ${metric}`));
      for (const [n, { metric, matched }] of selectors.entries())
        for (const label of matched) expect([...labels[n]!], `${where}: ${metric}`).toContain(label);
      const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      for (const label of [...grouped, ...shown])
        expect(
          labels.some((own) => own.has(label)),
          `${where}: ${label}`,
        ).toBe(true);
    }
});

test('every choice asks for a label that its metric has, and every variable of an expression is one', async () => {
  const known = await knownSeries();
  for (const { name, choices, sections } of boards) {
    for (const { metric, label } of choices) expect([...(known.get(metric) ?? [])], name).toContain(label);
    const exprs = sections.flatMap((section) => section.panels.flatMap(({ targets }) => targets.map(([expr]) => expr)));
    const used = exprs.flatMap((expr) => [...expr.matchAll(/\$(\w+)/g)].map(([, variable = '']) => variable));
    const given = new Set([...choices.map((choice) => choice.name), '__rate_interval']);
    expect(
      used.filter((variable) => !given.has(variable)),
      name,
    ).toEqual([]);
    expect(
      choices.filter((choice) => !used.includes(choice.name)),
      name,
    ).toEqual([]);
  }
});

test('every queue is named in panels: its depth, its oldest job, what it finishes, and how long that takes', () => {
  const wanted = [
    'queue:proofline_queue_depth:max',
    'queue:proofline_queue_oldest_waiting_seconds:max',
    'queue:proofline_jobs_finished:rate5m',
    'queue:proofline_job_end_to_end_seconds:p95_5m',
  ];
  for (const queue of queues.keys())
    for (const metric of wanted) {
      const showing = panels.filter(({ targets }) =>
        targets.some(([expr]) => {
          const names = /queue=~"([^"$]+)"/.exec(expr)?.[1]?.split('|') ?? [];
          return expr.startsWith(metric) && names.includes(queue);
        }),
      );
      expect(showing.length, `${queue} ${metric}`).toBeGreaterThan(0);
    }
});

test('every panel says what it shows, in which unit; its link leads to a section that an alert has too', () => {
  const anchors = new Set(alerts.map(({ anchor }) => anchor));
  for (const { board, title, about, anchor, bounds } of panels) {
    expect(about, `${board}: ${title}`).toMatch(/^.{15,250}\.$/);
    if (anchor !== undefined) expect(anchors, `${board}: ${title}`).toContain(anchor);
    if (bounds?.below) expect(bounds.warn).toBeGreaterThanOrEqual(bounds.bad);
    else if (bounds) expect(bounds.bad).toBeGreaterThanOrEqual(bounds.warn);
  }
  for (const [name, dashboard] of written)
    for (const { type, title, description, datasource, fieldConfig } of allPanels(dashboard)) {
      if (type === 'row') continue;
      const { unit, thresholds } = fieldConfig?.defaults ?? {};
      expect({ unit, thresholds, description }, `${name}: ${title}`).toEqual({
        unit: expect.any(String),
        thresholds: expect.any(Object),
        description: expect.any(String),
      });
      expect(datasource?.uid).toBe('${datasource}');
    }
});

test('ids of dashboards and panels are unique, and no panel lies on another', () => {
  expect(new Set(written.map(([, { uid }]) => uid)).size).toBe(written.length);
  expect(new Set(written.map(([, { title }]) => title)).size).toBe(written.length);
  for (const [name, dashboard] of written) {
    const all = allPanels(dashboard);
    expect(new Set(all.map(({ id }) => id)).size, name).toBe(all.length);
    for (const group of [dashboard.panels, ...dashboard.panels.map((panel) => panel.panels ?? [])])
      for (const [n, a] of group.entries())
        for (const b of group.slice(n + 1)) expect(overlap(a, b), `${name}: ${a.title} and ${b.title}`).toBe(false);
    for (const { targets = [] } of all) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    expect(dashboard.templating.list.map((variable) => variable.name)).toContain('datasource');
  }
});

function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
