import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { fleets } from '#queues/fleets.ts';
import { chartFiles } from './chart.ts';
import { processManifests } from './manifests.ts';
import { head, yaml } from './written.ts';

const root = join(import.meta.dirname, '..');

/** The rules that Prometheus has elsewhere, as its operator wants them. */
function ruleManifest(): object {
  const files = globSync('dashboards/prometheus/rules/*.yaml', { cwd: root }).toSorted();
  const groups = files.flatMap((file) => {
    const content: { readonly groups: readonly object[] } = parse(readFileSync(join(root, file), 'utf8'));
    return content.groups;
  });
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'proofline' },
    spec: { groups },
  };
}

const begin = '# fleets: written by deploy/write.ts from queues/fleets.ts';
const end = '# end of fleets';

/** A file of deploy/ whose part between two comments lists the fleets. @throws when it has no such part. */
function withFleets(file: string, lines: readonly string[]): string {
  const text = readFileSync(join(root, 'deploy', file), 'utf8');
  const [, before, indent, after] = new RegExp(`^(.*\\n( *)${begin}\\n).*?( *${end}\\n.*)$`, 's').exec(text) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`expected a line "${begin}" and a line "${end}" in deploy/${file}`);
  return `${before}${lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('')}${after}`;
}

/** Services of Compose, one a fleet, with an empty line between them. */
const services = Object.keys(fleets).flatMap((name, index) => [
  ...(index === 0 ? [] : ['']),
  `${name}:`,
  '  <<: *proofline',
  `  command: ["worker", "${name}"]`,
]);

/** Files of deploy/ that are written from tables, wholly or in part, with what they should hold. */
export function writtenFiles(): Readonly<Record<string, string>> {
  const rules = head('dashboards/prometheus/rules') + yaml(ruleManifest());
  const chart = Object.entries(chartFiles(rules)).map(([name, text]) => [`helm/${name}`, text] as const);
  return {
    ...Object.fromEntries(chart),
    'kubernetes/processes.yaml':
      head('deploy/processes.ts and queues/fleets.ts') + processManifests().map(yaml).join('---\n'),
    'kubernetes/rules.yaml': rules,
    'compose.yaml': withFleets('compose.yaml', services),
    'prometheus.yaml': withFleets('prometheus.yaml', [`- names: [${Object.keys(fleets).join(', ')}]`]),
  };
}

if (import.meta.main)
  for (const [name, text] of Object.entries(writtenFiles())) {
    const file = join(root, 'deploy', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
