import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROMETHEUS, processManifests, resourcesOf } from './manifests.ts';
import { apiScale, scaledFleets } from './processes.ts';
import { head, yaml } from './written.ts';

const here = import.meta.dirname;
const { version, description }: { version: string; description: string } = JSON.parse(
  readFileSync(join(here, '../package.json'), 'utf8'),
);

/** A file of deploy/kubernetes, which is a template of the chart as well. */
const manifest = (file: string): string => readFileSync(join(here, 'kubernetes', file), 'utf8');

/** Replaces every one of the pieces in a text. @throws where a piece is not in it: it would not be a value of the chart */
function filled(text: string, pieces: Readonly<Record<string, string>>): string {
  return Object.entries(pieces).reduce((all, [piece, expression]) => {
    if (!all.includes(piece)) throw new Error(`expected ${JSON.stringify(piece)} in a manifest of the chart, got none`);
    return all.replaceAll(piece, expression);
  }, text);
}

/** Text that is there only where a value says so. */
const when = (value: string, text: string): string => `{{- if ${value} }}\n${text}{{- end }}\n`;

/** Text that is there where a value says so, and another that is there elsewhere. */
const either = (value: string, text: string, other: string): string =>
  `{{- if ${value} }}\n${text}{{- else }}\n${other}{{- end }}\n`;

const image = '"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"';

/** Image of every container, with the line of a manifest that it stands for. */
const imageLines = {
  'image: proofline\n': `image: ${image}\n          imagePullPolicy: {{ .Values.image.pullPolicy }}\n`,
} as const;

interface Process {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The manifests of every process, with the values of the chart in their places. */
function processes(): string {
  const documents = (processManifests() as Process[]).map((one) => {
    const { name } = one.metadata;
    const text = `---\n${yaml(one)}`;
    if (one.kind === 'PodDisruptionBudget') return text;
    if (one.kind === 'ScaledObject') return when('.Values.autoscaling.enabled', scaled(text, name));
    return deployed(text, name);
  });
  return documents.join('');
}

function deployed(text: string, name: string): string {
  const own = `.Values.processes.${name}`;
  const replicas = `  replicas: {{ ${own}.replicas }}\n`;
  const counted =
    name === 'api'
      ? text.replace(/^ {2}replicas: \d+\n/m, replicas)
      : text.replace(/^spec:\n/m, `spec:\n${when('not .Values.autoscaling.enabled', replicas)}`);
  const env = '          env:\n';
  return filled(counted, {
    ...imageLines,
    'secretRef:\n                name: proofline\n': 'secretRef:\n                name: {{ .Values.secret }}\n',
    [env]: `${env}{{- include "proofline.addresses" . | indent 12 }}\n`,
    'claimName: proofline-home': 'claimName: {{ .Values.home.existingClaim | default "proofline-home" }}',
  }).replace(/^ {10}resources:\n(?: {12}.*\n)+/m, `          resources:\n{{ toYaml ${own}.resources | indent 12 }}\n`);
}

function scaled(text: string, name: string): string {
  const bound = (field: string) => `{{ .Values.processes.${name}.${field} }}`;
  return text
    .replace(/minReplicaCount: \d+/, `minReplicaCount: ${bound('replicas')}`)
    .replace(/maxReplicaCount: \d+/, `maxReplicaCount: ${bound('mostReplicas')}`)
    .replaceAll(/serverAddress: .*/g, 'serverAddress: {{ .Values.autoscaling.prometheus }}');
}

/** The migration as a hook: it runs, and has to succeed, before processes of a release are put in place. */
function migration(): string {
  const hook = [
    '  annotations:',
    '    helm.sh/hook: pre-install,pre-upgrade',
    '    helm.sh/hook-delete-policy: before-hook-creation',
    '  labels:\n',
  ].join('\n');
  const references = /^ {12}- name: DATABASE_URL\n(?: {14,}.*\n)+ {12}- name: DATABASE_DIRECT_URL\n(?: {14,}.*\n)+/m;
  const text = manifest('migrate/job.yaml').replace(/^ {2}labels:\n/m, hook);
  if (!references.test(text)) throw new Error('expected the addresses of the migration in migrate/job.yaml, got none');
  const addresses = (own: string) =>
    either(
      '.Values.postgres.host',
      '{{- include "proofline.addresses" . | indent 12 }}\n',
      filled(own, { 'name: proofline\n': 'name: {{ .Values.secret }}\n' }),
    );
  return filled(text.replace(references, addresses), imageLines);
}

/** Addresses of servers that are values, with passwords by reference; without them the Secret has whole addresses. */
const helpers = `{{- define "proofline.addresses" -}}
{{- with .Values.postgres }}
{{- if .host }}
- name: POSTGRES_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ required "postgres.passwordSecret: the Secret with the password of Postgres" .passwordSecret }}
      key: {{ .passwordKey }}
- name: DATABASE_URL
  value: "postgresql://{{ .user }}:$(POSTGRES_PASSWORD)@{{ .host }}:{{ .port }}/{{ .database }}"
{{- end }}
{{- end }}
{{- with .Values.redis }}
{{- if .host }}
{{- if .passwordSecret }}
- name: REDIS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .passwordSecret }}
      key: {{ .passwordKey }}
{{- end }}
- name: REDIS_URL
  value: "{{ if .tls }}rediss{{ else }}redis{{ end }}://{{ if .passwordSecret }}:$(REDIS_PASSWORD)@{{ end }}{{ .host }}:{{ .port }}"
{{- end }}
{{- end }}
{{- end }}
`;

const settingsMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: proofline
data:
{{- range $name, $value := .Values.settings }}
  {{ $name }}: {{ $value | quote }}
{{- end }}
`;

function home(): string {
  const text = filled(manifest('system/home.yaml'), {
    'storage: 20Gi\n':
      'storage: {{ .Values.home.size }}\n{{- with .Values.home.storageClass }}\n  storageClassName: {{ . }}\n{{- end }}\n',
  });
  return when('not .Values.home.existingClaim', text);
}

function edge(): string {
  const [service = '', ingress = ''] = manifest('edge.yaml').split('---\n');
  const values = {
    'proofline.example.com': '{{ .Values.ingress.host }}',
    'ingressClassName: nginx': 'ingressClassName: {{ .Values.ingress.className }}',
    'secretName: proofline-tls': 'secretName: {{ .Values.ingress.tlsSecret }}',
  };
  return `${service}${when('.Values.ingress.enabled', `---\n${filled(ingress, values)}`)}`;
}

function network(): string {
  const text = filled(manifest('system/network.yaml'), {
    '10.0.0.0/8\n': '{{ .Values.networkPolicies.servers }}\n',
    'kubernetes.io/metadata.name: ingress-nginx':
      'kubernetes.io/metadata.name: {{ .Values.networkPolicies.ingressNamespace }}',
    'kubernetes.io/metadata.name: monitoring':
      'kubernetes.io/metadata.name: {{ .Values.networkPolicies.monitoringNamespace }}',
  });
  return when('.Values.networkPolicies.enabled', text);
}

/** Values as the manifests have them, so that both say the same until an operator changes one. */
function defaults() {
  const { data: settings } = parse(manifest('system/settings.yaml'));
  const fleets = scaledFleets().map(({ name, scale }) => [
    name,
    { replicas: scale.least, mostReplicas: scale.most, resources: resourcesOf(scale) },
  ]);
  return {
    image: { repository: 'registry.example.com/proofline', tag: '', pullPolicy: 'IfNotPresent' },
    secret: 'proofline',
    postgres: {
      host: '',
      port: 5_432,
      database: 'proofline',
      user: 'proofline',
      passwordSecret: '',
      passwordKey: 'password',
    },
    redis: { host: '', port: 6_379, tls: false, passwordSecret: '', passwordKey: 'password' },
    settings,
    processes: {
      api: { replicas: apiScale.least, resources: resourcesOf(apiScale) },
      ...Object.fromEntries(fleets),
    },
    autoscaling: { enabled: true, prometheus: PROMETHEUS },
    home: { existingClaim: '', storageClass: '', size: '20Gi' },
    ingress: { enabled: true, className: 'nginx', host: 'proofline.example.com', tlsSecret: 'proofline-tls' },
    networkPolicies: {
      enabled: true,
      servers: '10.0.0.0/8',
      ingressNamespace: 'ingress-nginx',
      monitoringNamespace: 'monitoring',
    },
    monitoring: { enabled: true },
  };
}

/** A schema that takes the names and types of the default values, and no others: a misspelt value is refused. */
function schemaOf(value: unknown, path: readonly string[] = []): object {
  if (typeof value === 'number') return { type: 'integer' };
  if (typeof value !== 'object' || value === null) return { type: typeof value };
  // settings are the system's to know, resources Kubernetes'
  if (path.at(-1) === 'settings')
    return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
  if (path.at(-1) === 'resources') return { type: 'object' };
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, schemaOf(one, [...path, name])]),
  );
  return { type: 'object', additionalProperties: false, properties };
}

/** Files of the chart `deploy/helm`, with what they should hold: made of the tables and the manifests of Kubernetes. */
export function chartFiles(rules: string): Readonly<Record<string, string>> {
  const chart = { apiVersion: 'v2', name: 'proofline', description, type: 'application', version, appVersion: version };
  const values = defaults();
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf({ ...values, global: {} }) };
  const templates = {
    '_helpers.tpl': helpers,
    'edge.yaml': edge(),
    'home.yaml': home(),
    'migrate.yaml': migration(),
    'monitoring.yaml': when('.Values.monitoring.enabled', manifest('monitoring.yaml')),
    'network.yaml': network(),
    'processes.yaml': processes(),
    // a file of its own: its texts have braces that are Prometheus'
    'rules.yaml': when('.Values.monitoring.enabled', '{{ .Files.Get "files/rules.yaml" }}\n'),
    'settings.yaml': settingsMap,
  };
  return {
    'Chart.yaml': head('package.json') + yaml(chart),
    'values.yaml': head('deploy/processes.ts and deploy/chart.ts') + yaml(values),
    'values.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
    'files/rules.yaml': rules,
    ...Object.fromEntries(Object.entries(templates).map(([name, text]) => [`templates/${name}`, text])),
  };
}
