import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proofline } from '#src/commands/program.ts';
import { settings } from '#src/system/config/settings.ts';
import { root } from './manifests.ts';

const text = readFileSync(join(root, 'deploy/RUNBOOK.md'), 'utf8');
const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => slug(title));

/** The anchor that a heading gets. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

test('every link of the runbook leads somewhere', () => {
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target.replaceAll(/\s/g, ''));
  expect(links.length).toBeGreaterThan(20);
  for (const link of links)
    if (link.startsWith('#')) expect(headings, link).toContain(link.slice(1));
    else expect(existsSync(join(root, 'deploy', link)), link).toBe(true);
  expect(new Set(headings).size).toBe(headings.length);
});

test('every alert has its section', () => {
  const rules = globSync('dashboards/prometheus/rules/*.yaml', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const anchors = [...rules.join('').matchAll(/runbook_url: deploy\/RUNBOOK\.md#([\w-]+)/g)];
  expect(anchors.length).toBeGreaterThan(30);
  for (const [, anchor] of anchors) expect(headings).toContain(anchor);
});

test('the files, metrics and settings that the runbook names exist', () => {
  const metrics = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
  for (const [, name = ''] of text.matchAll(/\b(proofline_[a-z_]+)\b/g)) {
    // a group, as grep takes it
    if (name === 'proofline_' || name === 'proofline_anchor_balance') continue;
    expect(metrics, name).toContain(`\`${name}\``);
  }
  const foreign = [
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'GRAFANA_PASSWORD',
    'PROOFLINE_URL',
    'PROOFLINE_KEY',
    'LOCAL_MEDIA',
  ];
  for (const [, name = ''] of text.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g))
    expect(Object.hasOwn(settings, name) || foreign.includes(name), name).toBe(true);
  for (const [path] of text.matchAll(/\b(?:deploy|test|sql|docs|workers)\/[\w./-]*\w\.(?:ts|md|sh|yaml)\b/g))
    expect(existsSync(join(root, path)), path).toBe(true);
});

test('the commands that the runbook names exist', async () => {
  const commands = (await proofline()).commands.map((command) => command.name());
  const named = new Set([...text.matchAll(/(?:`proofline|src\/cli\.ts) ([a-z-]+)/g)].map(([, name = '']) => name));
  expect([...named].toSorted()).toEqual([
    'calls',
    'doctor',
    'endpoints',
    'jobs',
    'key',
    'limits',
    'logs',
    'migrate',
    'operator',
    'queues',
    'top',
    'verify',
  ]);
  expect(commands).toEqual(expect.arrayContaining([...named]));
});
