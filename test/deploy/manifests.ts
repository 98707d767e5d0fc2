import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const root = join(import.meta.dirname, '../..');

export interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** Every object of deploy/kubernetes, as it stands in its file. */
export function readManifests(): readonly Manifest[] {
  const files = globSync('deploy/kubernetes/**/*.yaml', { cwd: root }).filter(
    (file) => !file.includes('kustomization'),
  );
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => {
      const [error] = document.errors;
      if (error) throw new Error(`${file}: ${error.message}`);
      return { file, ...document.toJS() };
    }),
  );
}

export interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: { readonly limits: { readonly memory: string }; readonly requests: { readonly memory: string } };
}

export interface Workload {
  readonly name: string;
  readonly container: Container;
  readonly graceSeconds: number;
}

/** Deployments and Jobs, with their one container. */
export function readWorkloads(): readonly Workload[] {
  return readManifests().flatMap(({ kind, metadata, spec }) => {
    if (kind !== 'Deployment' && kind !== 'Job') return [];
    const { template } = spec as {
      template: { spec: { containers: Container[]; terminationGracePeriodSeconds?: number } };
    };
    const { containers, terminationGracePeriodSeconds = 30 } = template.spec;
    return [{ name: metadata.name, container: containers[0]!, graceSeconds: terminationGracePeriodSeconds }];
  });
}

/** The module of an object's kind in the packages with the schemas of Kubernetes, KEDA and Prometheus' operator. */
export function moduleOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): string {
  const [group = ''] = apiVersion.split('/');
  const foreign: Readonly<Record<string, string>> = {
    'keda.sh': '@kubernetes-models/keda',
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  };
  return `${foreign[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}
