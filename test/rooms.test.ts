import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { circlesOf } from './circles.ts';
import { type ImportKind, readImports } from './imports.ts';

const here = join(import.meta.dirname, '..');

const isOfSystem = ({ from }: { readonly from: string }) =>
  /^(src|queues|workers|dashboards|bench|packages)\//.test(from);

test('the folders of the system import each other in one direction', () => {
  const imports = readImports().filter(isOfSystem);
  expect(imports.length).toBeGreaterThan(3_000);
  for (const kind of ['value', 'type', 'dynamic', 'url'] satisfies ImportKind[])
    expect(imports.some((one) => one.kind === kind)).toBe(true);
  expect(circlesOf(imports)).toEqual([]);
});

test('no file imports itself through others, types included', () => {
  const isImport = ({ kind }: { readonly kind: ImportKind }) => kind === 'value' || kind === 'type';
  expect(circlesOf(readImports().filter(isOfSystem).filter(isImport), (file) => file)).toEqual([]);
});

test('each folder has a purpose of one line in src/README.md, and no more than about twenty files', () => {
  const files = globSync('{src,queues,workers,bench,sql,packages}/**/*.{ts,json}', {
    cwd: here,
    exclude: ['packages/*/dist/**'],
  });
  const counts = Map.groupBy(files, (file) => dirname(file));
  const page = readFileSync(join(here, 'src/README.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+)\/` \| (\S.{10,140}) \|$/gm)].map(([, folder = '']) => folder);
  expect(listed.toSorted()).toEqual([...counts.keys()].toSorted());
  const pages = globSync('dashboards/**/*.{ts,tsx}', { cwd: here, exclude: ['dashboards/console/dist/**'] });
  const all = [...counts, ...Map.groupBy(pages, (file) => dirname(file))];
  expect(all.filter(([, { length }]) => length > 22).map(([folder]) => folder)).toEqual([]);
});

test.each<[ImportKind, string]>([
  ['value', "import { b } from '#src/b/b.ts';"],
  ['value', "export { b } from '#src/b/b.ts';"],
  ['value', "import '#src/b/b.ts';"],
  ['type', "import type { B } from '#src/b/b.ts';"],
  ['type', "import { type B } from '#src/b/b.ts';"],
  ['type', "const b: typeof import('#src/b/b.ts') | null = null;"],
  ['dynamic', "const b = await import('#src/b/b.ts');"],
  ['url', "const b = new URL('../b/b.ts', import.meta.url);"],
])('error: a planted circle is found, by an import of a %s: %s', (kind, line) => {
  const root = mkdtempSync(join(tmpdir(), 'rooms-'));
  try {
    const files = {
      'src/a/a.ts': `${line}\n`,
      'src/b/b.ts': "import { c } from '#workers/c.ts';\n",
      'workers/c.ts': "import { a } from '#src/a/a.ts';\n",
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const imports = readImports(root);
    expect(imports.find(({ from }) => from === 'src/a/a.ts')).toMatchObject({ to: 'src/b/b.ts', kind });
    expect(circlesOf(imports).map(({ folders }) => folders)).toEqual([['src/a', 'src/b', 'workers']]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a relative path in a text of the system names a file that is there', () => {
  const path = /(['"`])(\.{1,2}\/[^'"`$\n\s]+\.(?:ts|tsx|mjs|json|sql|md|csv|yaml))\1/g;
  const files = globSync('{src,queues,workers,bench,sql,deploy,dashboards,bin,packages}/**/*.{ts,tsx,mjs}', {
    cwd: here,
    exclude: ['**/node_modules/**', 'dashboards/console/dist/**', 'packages/*/dist/**'],
  });
  const gone = files.flatMap((file) =>
    [...readFileSync(join(here, file), 'utf8').matchAll(path)]
      .map(([, , named = '']) => named)
      .filter((named) => !existsSync(join(here, dirname(file), named)))
      .map((named) => `${file}: ${named}`),
  );
  expect(gone).toEqual([]);
});

/** Files that face a caller: no job has one. */
const facesCallers = (file: string) => /^src\/(http|mcp|api|commands)\//.test(file) || file.endsWith('-routes.ts');

/** The shortest way from a file to one that fits, by what is loaded at run time; null where there is none. */
function wayTo(start: string, fits: (file: string) => boolean): readonly string[] | null {
  const ways: string[][] = [[start]];
  const seen = new Set([start]);
  for (const way of ways) {
    const last = way.at(-1) ?? start;
    if (fits(last)) return way;
    for (const next of loaded.get(last) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

const loaded = Map.groupBy(
  readImports().filter(({ kind }) => kind === 'value' || kind === 'dynamic'),
  ({ from }) => from,
)
  .entries()
  .map(([from, imports]) => [from, imports.flatMap(({ to }) => (to === undefined ? [] : [to]))] as const)
  .reduce((map, [from, to]) => map.set(from, to), new Map<string, readonly string[]>());

test('no processor loads a file that faces callers, by whatever way', () => {
  const processors = [...loaded.keys()].filter(
    (file) => /^workers\/[a-z-]+\//.test(file) && !file.startsWith('workers/run/'),
  );
  expect(processors.length).toBeGreaterThan(40);
  expect(processors.map((file) => wayTo(file, facesCallers)).filter((way) => way !== null)).toEqual([]);
});

test('error: a route is found through the files between', () => {
  expect(wayTo('src/api/app.ts', (file) => file === 'src/http/edge/http-metrics.ts')).toEqual([
    'src/api/app.ts',
    'src/http/edge/edge.ts',
    'src/http/edge/http-metrics.ts',
  ]);
  expect(facesCallers('src/http/jobs/job-routes.ts')).toBe(true);
  expect(wayTo('src/http/jobs/job-routes.ts', facesCallers)).toEqual(['src/http/jobs/job-routes.ts']);
});
