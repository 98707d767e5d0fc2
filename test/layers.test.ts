import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Import, readImports } from './imports.ts';

const root = join(import.meta.dirname, '..');

const below = {
  lib: [],
  system: ['lib', 'sql'],
  queues: ['lib'],
  jobs: ['lib', 'system', 'queues'],
} as const;
const middle = ['access', 'governance', 'providers', 'receipts'] as const;
/** What has a folder of processors and one of routes: a new surface is one by that alone. */
const surfaces = readdirSync(join(import.meta.dirname, '../workers'), { withFileTypes: true })
  .filter((one) => one.isDirectory() && existsSync(join(import.meta.dirname, '../src', one.name)))
  .map(({ name }) => name)
  .filter((name) => !middle.some((one) => one === name));
const foundation = ['lib', 'system', 'queues', 'jobs'] as const;
const everyLayer = [...foundation, ...middle, 'http', ...surfaces, 'mcp'] as const;

/** Packages that compute and do nothing else: all that a surface's domain may import. */
const purePackages = ['csv-parse/sync', 'typebox', '@noble/hashes', '@noble/curves', '@noble/ed25519', 'canonicalize'];

/**
 * Which layers a layer may import, itself aside. `app` is src/api; `cli` is cli.ts and the commands;
 * tools are tests and benchmarks, which may import everything.
 */
const allowed: Readonly<Record<string, readonly string[] | 'all'>> = {
  ...below,
  access: [...foundation, 'http'],
  http: [...foundation, 'access'],
  governance: [...foundation, 'access', 'providers', 'receipts', 'http'],
  providers: [...foundation, 'access', 'governance', 'receipts'],
  receipts: [...foundation, 'access', 'governance', 'providers', 'http'],
  ...Object.fromEntries(surfaces.map((surface) => [surface, [...foundation, ...middle, 'http', `${surface}/domain`]])),
  ...Object.fromEntries(surfaces.map((surface) => [`${surface}/domain`, ['lib']])),
  mcp: [...foundation, ...middle, 'http', ...surfaces, ...surfaces.map((surface) => `${surface}/domain`)],
  app: [...everyLayer, ...surfaces.map((surface) => `${surface}/domain`)],
  sql: ['lib'],
  workers: [...foundation, ...middle],
  ...Object.fromEntries(
    surfaces.map((surface) => [
      `workers/${surface}`,
      [...foundation, ...middle, 'workers', surface, `${surface}/domain`],
    ]),
  ),
  // jobs of others in a fleet: the one part of the system that knows what others install
  'workers/beside': [...foundation, ...middle, 'workers', 'packages'],
  cli: [...everyLayer, 'app', 'sql', 'workers', 'bench', ...surfaces.map((surface) => `${surface}/domain`)],
  // tables that describe what runs, and a proof that runs all of it
  dashboards: ['lib', 'system', 'queues', 'workers', 'cli'],
  // pages for browsers: what they compute is computed here as well
  'dashboards/verify': ['lib', 'receipts'],
  'dashboards/console': ['lib', 'receipts', 'governance', 'studio/domain', 'missions', 'dashboards/verify'],
  // what others install: it knows nothing of the system
  packages: [],
  test: 'all',
  bench: 'all',
  deploy: ['queues'],
};

/** The layer a file belongs to. */
function layerOf(file: string): string {
  const [top = '', second = '', third = ''] = file.split('/');
  if (top === 'dashboards' && (second === 'console' || second === 'verify')) return `dashboards/${second}`;
  if (file === 'workers/serve-jobs.ts') return 'workers/beside';
  if (top === 'workers') return isSurface(second) || second === 'beside' ? `workers/${second}` : 'workers';
  if (top !== 'src') return top;
  if (second === 'api') return 'app';
  if (second === 'cli.ts' || second === 'commands') return 'cli';
  return isSurface(second) && third === 'domain' ? `${second}/domain` : second;
}

function isSurface(name: string): boolean {
  return surfaces.includes(name);
}

/** What is wrong with an import; undefined when nothing is. */
function breach({ from, specifier, to }: Import): string | undefined {
  const layer = layerOf(from);
  const may = allowed[layer];
  if (may === undefined) return `${from}: no layer ${layer} in the table`;
  // a package has no names for its own folders
  if (layer !== 'packages' && /^\.\.?\/.*\.\.|^\.\./.test(specifier)) return `${from}: ${specifier} goes up; write #…`;
  if (to === undefined) return layer.endsWith('/domain') ? impurePackage(from, specifier) : undefined;
  if (specifier.startsWith('.') && !/\.(tsx?|json|css)$/.test(specifier))
    return `${from}: ${specifier} needs its ending`;
  // Only the tables of works know every surface's processors.
  if (/^workers\/(handlers|fleets)\.ts$/.test(from) && layerOf(to).startsWith('workers/')) return undefined;
  // A contract's payload and result are shapes that its surface computes; schemas alone, nothing that runs.
  if (layer === 'queues' && /^src\/[a-z]+\/domain\/([a-z-]+\/)?[a-z-]+-schema\.ts$/.test(to)) return undefined;
  // A surface's processors use what it stores and computes, never what faces the caller; rooms.test.ts looks further.
  if (layer.startsWith('workers/') && to.endsWith('-routes.ts')) return `${from}: a processor imports ${to}`;
  if (may === 'all' || layerOf(to) === layer || may.includes(layerOf(to))) return undefined;
  return `${from}: ${layer} must not import ${layerOf(to)} (${to})`;
}

function impurePackage(from: string, specifier: string): string | undefined {
  const isPure = purePackages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return isPure ? undefined : `${from}: a domain must not import ${specifier}`;
}

test('the four surfaces are known as such', () => {
  expect(surfaces).toEqual(expect.arrayContaining(['studio', 'missions', 'platform', 'analytics']));
});

test('every import goes down the layers, and none goes up a folder', () => {
  const imports = readImports();
  expect(imports.length).toBeGreaterThan(100);
  expect(
    imports
      .filter(({ kind }) => kind !== 'url')
      .map(breach)
      .filter((found) => found !== undefined),
  ).toEqual([]);
});

/** Rows of the page's table that name their rooms one by one: layer, and which it may import. */
function documented(): readonly (readonly [layer: string, may: readonly string[]])[] {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const table = page.split('may import, in addition to their own room |')[1]?.split('\n\n')[0] ?? '';
  return table.split('\n').flatMap((line) => {
    const [, files = '', rooms = ''] = line.split('|');
    if (!/^(the foundation|nothing|`|,|;.*|\s|[a-z]|-)*$/.test(rooms) || /every|above|same|its own|-schema/.test(rooms))
      return [];
    const named = rooms.split(';')[0]!;
    const may = [...named.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!);
    const all = named.includes('the foundation') ? [...foundation, ...may] : may;
    return [...files.matchAll(/`([\w/]+)`/g)].map(([, path]) => [layerOf(`${path}/x.ts`), all.toSorted()] as const);
  });
}

test('the table in docs/architecture.md is the one that is held here', () => {
  const rows = documented();
  expect(rows.map(([layer]) => layer)).toEqual(expect.arrayContaining(['lib', 'jobs', 'http', 'receipts', 'workers']));
  for (const [layer, may] of rows)
    expect({ layer, may: [allowed[layer] ?? []].flat().toSorted() }).toEqual({ layer, may });
});

test.each([
  ['src/lib/errors.ts', '#src/system/config/config.ts', 'lib must not import system'],
  ['src/jobs/submit/submit.ts', '#src/http/streams/sse.ts', 'jobs must not import http'],
  ['src/api/app.ts', '#workers/analytics/take-chain.ts', 'app must not import workers/analytics'],
  ['src/analytics/portfolio/stress-routes.ts', '#src/studio/model/store.ts', 'analytics must not import studio'],
  [
    'src/analytics/domain/risk/stress.ts',
    '#src/analytics/chains/chain-store.ts',
    'analytics/domain must not import analytics',
  ],
  ['src/analytics/domain/risk/stress.ts', 'node:fs', 'a domain must not import node:fs'],
  ['queues/analytics.ts', '#src/analytics/domain/risk/stress.ts', 'queues must not import analytics/domain'],
  ['workers/analytics/take-chain.ts', '#src/http/streams/sse.ts', 'workers/analytics must not import http'],
  ['workers/analytics/take-chain.ts', '#src/analytics/chains/chain-routes.ts', 'a processor imports src/analytics'],
  ['workers/analytics/take-chain.ts', '#src/studio/domain/words.ts', 'workers/analytics must not import studio/domain'],
  ['src/jobs/submit/submit.ts', '../../system/config/config.ts', 'goes up'],
  ['packages/client/src/client.ts', '#src/lib/errors.ts', 'packages must not import lib'],
  ['src/http/jobs/job-routes.ts', '#packages/client/src/index.ts', 'http must not import packages'],
  ['workers/run/fleet.ts', '#packages/worker/src/index.ts', 'workers must not import packages'],
  ['workers/beside/direct-port.ts', '#src/http/streams/sse.ts', 'workers/beside must not import http'],
  ['src/somewhere/else.ts', '#src/lib/errors.ts', 'no layer somewhere'],
])('error: %s may not import %s', (from, specifier, message) => {
  const to = specifier.startsWith('#') ? specifier.slice(1) : undefined;
  // a rule that is proven with a file that is gone proves nothing
  if (!message.startsWith('no layer'))
    for (const file of [from, to]) if (file !== undefined) expect(existsSync(join(root, file)), file).toBe(true);
  expect(breach({ from, specifier, to, kind: 'value' })).toContain(message);
});
