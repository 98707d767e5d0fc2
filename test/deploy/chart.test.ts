import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { fleets } from '#queues/fleets.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { settings } from '#src/system/config/settings.ts';
import { programOnPath } from '#src/system/embedded/programs.ts';
import { type Manifest, moduleOf, readManifests, root } from './manifests.ts';

const chart = join(root, 'deploy/helm');
const read = (file: string) => readFileSync(join(chart, file), 'utf8');
const values: Record<string, unknown> = parse(read('values.yaml'));
const templates = readdirSync(join(chart, 'templates')).map((file) => [file, read(`templates/${file}`)] as const);

/** The value at a path such as `processes.api.replicas`; undefined where there is none. */
const valueAt = (path: string) => path.split('.').reduce<unknown>((at, name) => Object(at)[name], values);

test('every value that a template names is there, and every one that is there is named', () => {
  const named = new Set(
    templates.flatMap(([, text]) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path)),
  );
  expect([...named].filter((path) => valueAt(path) === undefined)).toEqual([]);
  expect(Object.keys(values).filter((name) => ![...named].some((path) => path.split('.')[0] === name))).toEqual([]);
  expect(Object.keys(values['processes'] as object)).toEqual(['api', ...Object.keys(fleets)]);
});

test('the values fit their schema, and a misspelt name or a wrong type does not', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')));
  expect([validate(values), validate.errors]).toEqual([true, null]);
  for (const wrong of [
    { imagge: {} },
    { image: { repo: 'x' } },
    { redis: { port: 'many' } },
    { settings: { PORT: [] } },
  ])
    expect(validate({ ...values, ...wrong })).toBe(false);
});

test('settings of the values are settings, and no value is a secret', () => {
  const given = values['settings'] as Record<string, string>;
  expect(Object.keys(given).filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  expect(Object.keys(given).filter((name) => settings[name as keyof typeof settings].secret)).toEqual([]);
  // addresses come from the Secret or are made of a host, with the password by reference
  expect(read('values.yaml')).not.toMatch(/[Pp]assword: \S/);
});

test('what opens and what closes in a template are as many, and none is left of what was to be replaced', () => {
  for (const [file, text] of templates) {
    const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
    const opened = count(/\{\{-? ?(?:if|with|range|define) /g);
    expect([file, count(/\{\{-? ?end ?-?\}\}/g)]).toEqual([file, opened]);
    expect(text).not.toMatch(/image: proofline$|proofline\.example\.com/m);
  }
});

const helm = programOnPath(['helm']);

/** Objects that Helm makes of the chart with these values. */
function rendered(...set: readonly string[]): readonly Manifest[] {
  const args = ['template', 'proofline', chart, '--namespace', 'proofline', ...set.flatMap((one) => ['--set', one])];
  const { status, stdout, stderr } = spawnSync(helm ?? '', args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return parseAllDocuments(stdout).flatMap((document) => {
    const body: Manifest | null = document.toJS();
    return body === null ? [] : [body];
  });
}

const keyOf = ({ kind, metadata }: Pick<Manifest, 'kind' | 'metadata'>) => `${kind} ${metadata.name}`;
const bodyOf = ({ file: _file, ...body }: Manifest) => body;

/** As the manifests have it: what Helm alone knows is taken off. */
const asManifest = (one: Manifest): unknown =>
  JSON.parse(
    JSON.stringify(bodyOf(one), (key, value) =>
      key === 'imagePullPolicy' || (key === 'annotations' && 'helm.sh/hook' in value)
        ? undefined
        : key === 'image'
          ? 'proofline'
          : value,
    ),
  );

test.skipIf(helm === undefined)('helm lint finds nothing, and refuses a value that there is not', () => {
  const lint = (...more: string[]) => spawnSync(helm ?? '', ['lint', '--strict', chart, ...more], { encoding: 'utf8' });
  expect([lint().status, lint().stderr]).toEqual([0, '']);
  expect(lint('--set', 'imagge.tag=1').status).toBe(1);
});

test.skipIf(helm === undefined)(
  'with its own values the chart makes the objects of deploy/kubernetes, and no others',
  () => {
    const made = new Map(rendered().map((one) => [keyOf(one), asManifest(one)]));
    const manifests = readManifests().filter(({ kind }) => kind !== 'Namespace' && kind !== 'Secret');
    expect([...made.keys()].toSorted()).toEqual(manifests.map(keyOf).toSorted());
    for (const one of manifests) expect(made.get(keyOf(one)), keyOf(one)).toEqual(bodyOf(one));
  },
);

const changed = [
  ['autoscaling.enabled=false', 'ingress.enabled=false', 'monitoring.enabled=false', 'networkPolicies.enabled=false'],
  [
    'postgres.host=db.example',
    'postgres.passwordSecret=pg',
    'redis.host=redis.example',
    'redis.passwordSecret=rd',
    'redis.tls=true',
  ],
  ['home.existingClaim=mine', 'image.tag=9.9.9', 'secret=other', 'processes.studio.mostReplicas=3'],
  ['home.storageClass=nfs', 'redis.host=redis.example', 'settings.PORT=4000'],
];

test.skipIf(helm === undefined).each(changed.map((set) => [set.join(' '), set] as const))(
  'with %s each object fits its schema',
  async (_, set) => {
    const objects = rendered(...set);
    expect(objects.length).toBeGreaterThan(10);
    for (const one of objects) {
      const module: Record<string, new (body: object) => { validate: () => void }> = await import(moduleOf(one));
      new module[one.kind]!(one).validate();
    }
  },
);

test.skipIf(helm === undefined)(
  'values reach the objects: numbers without an autoscaler, addresses, and the migration before all',
  () => {
    const [plain, addressed] = [rendered(...changed[0]!), rendered(...changed[1]!)];
    const find = (all: readonly Manifest[], key: string) => JSON.stringify(all.find((one) => keyOf(one) === key));
    expect(
      plain.filter(({ kind }) => /ScaledObject|Ingress|PodMonitor|NetworkPolicy|PrometheusRule/.test(kind)),
    ).toEqual([]);
    for (const name of Object.keys(fleets)) expect(find(plain, `Deployment ${name}`)).toContain('"replicas":1');
    const urls = {
      DATABASE_URL: 'postgresql://proofline:$(POSTGRES_PASSWORD)@db.example:5432/proofline',
      REDIS_URL: 'rediss://:$(REDIS_PASSWORD)@redis.example:6379',
    };
    for (const [name, value] of Object.entries(urls))
      expect(find(addressed, 'Deployment api')).toContain(JSON.stringify({ name, value }));
    expect(find(addressed, 'Job proofline-migrate')).toContain('"name":"pg"');
    expect(find(addressed, 'Job proofline-migrate')).toContain('pre-install,pre-upgrade');
    // the names beside them are no settings, and stop no start
    const names = { POSTGRES_PASSWORD: 'x', REDIS_PASSWORD: 'x', KEY_PEPPER: 'k'.repeat(32) };
    expect(loadConfig({ ...names, ...urls }).REDIS_URL).toBe(urls.REDIS_URL);
  },
);
