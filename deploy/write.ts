import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { processManifests } from './manifests.ts';

const root = join(import.meta.dirname, '..');
const head = (from: string) =>
  `# Written by \`node bin/proofline.mjs run deploy/write.ts\` from ${from}: change that.\n`;
const yaml = (document: object) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });

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

/** Files of deploy/kubernetes that are written from tables, with what they should hold. */
export function writtenFiles(): Readonly<Record<string, string>> {
  return {
    'processes.yaml': head('deploy/processes.ts and queues/fleets.ts') + processManifests().map(yaml).join('---\n'),
    'rules.yaml': head('dashboards/prometheus/rules') + yaml(ruleManifest()),
  };
}

if (import.meta.main)
  for (const [name, text] of Object.entries(writtenFiles())) writeFileSync(join(root, 'deploy/kubernetes', name), text);
