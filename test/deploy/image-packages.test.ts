import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Import, readImports } from '#test/imports.ts';
import { root } from './manifests.ts';

type Names = Readonly<Record<string, string>>;

interface Locked {
  readonly license?: string;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
const own = packages[''] ?? {};

/** Names that a line of the Dockerfile takes out of package.json, as `<group>.<package>`. */
const leftOut = [
  ...read('deploy/Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .matchAll(/npm pkg delete (.*)/g),
].map(([, names = '']) => names.trim().split(/\s+/));
const [always = [], withoutMedia = []] = leftOut;
const media = ['node-av', '@echogarden/espeak-ng-emscripten'];

/** What the image installs at the top: the dependencies of package.json but those. */
function rootsWithout(taken: readonly string[]): readonly string[] {
  const groups = { dependencies: own.dependencies ?? {}, optionalDependencies: own.optionalDependencies ?? {} };
  return Object.entries(groups).flatMap(([group, names]) =>
    Object.keys(names).filter((name) => !taken.includes(`${group}.${name}`)),
  );
}

/** Where Node finds a package that another one asks for; undefined where it is not locked. */
function placeOf(from: string, name: string): string | undefined {
  const at = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (packages[at]) return at;
  return from === '' ? undefined : placeOf(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

/** Everything that is installed for these packages, by place. */
function closureOf(roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (place: string | undefined): void => {
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = packages[place] ?? {};
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      add(placeOf(place, name));
  };
  for (const name of roots) add(placeOf('', name));
  return found;
}

function licenceOf(place: string): string {
  const locked = packages[place]?.license;
  if (locked !== undefined) return locked;
  const file = join(root, place, 'package.json');
  if (!existsSync(file)) return `none: ${place}`;
  const { license, licenses = [] }: { license?: string; licenses?: { type: string }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return license ?? (licenses.map(({ type }) => type).join(' OR ') || `none: ${place}`);
}

const allowed = [
  // fonts: may be handed on with anything, not sold by themselves
  'OFL-1.1',
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
  // for changes to its own files alone; resvg
  'MPL-2.0',
  // DejaVu's: Bitstream Vera's, and the public domain
  'SEE LICENSE IN README.md AND LICENSE',
];

test('the image has no package under another licence than those that a company takes without asking, and none of the GPL', () => {
  const licences = [...closureOf(rootsWithout([...always, ...withoutMedia]))].map((place) => [place, licenceOf(place)]);
  expect(licences.length).toBeGreaterThan(150);
  expect(licences.filter(([, licence = '']) => !allowed.includes(licence))).toEqual([]);
});

test('with LOCAL_MEDIA=yes the packages with GPL parts are the two that docs/media.md names', () => {
  expect(withoutMedia).toEqual(media.map((name) => `optionalDependencies.${name}`));
  const added = [...closureOf(rootsWithout(always))].filter(
    (place) => !closureOf(rootsWithout([...always, ...withoutMedia])).has(place),
  );
  const other = added.filter((place) => !allowed.includes(licenceOf(place)));
  expect(other.filter((place) => licenceOf(place).includes('GPL'))).toEqual([
    'node_modules/@echogarden/espeak-ng-emscripten',
  ]);
  expect(added.some((place) => place === 'node_modules/node-av')).toBe(true);
  for (const name of media) expect(read('docs/media.md')).toContain(`\`${name}\``);
});

test('the test tells packages of the GPL: a checkout has them, for the prover and the voice', () => {
  const all = [...closureOf(rootsWithout([]))].filter((place) => licenceOf(place).includes('GPL'));
  expect(all.length).toBeGreaterThan(10);
  expect(all).toContain('node_modules/snarkjs');
});

test('what is left out is in package.json, and is not a package that the image has for another one', () => {
  const groups = new Map(Object.entries<unknown>(own as Record<string, unknown>));
  const rest = closureOf(rootsWithout([...always, ...withoutMedia]));
  for (const entry of [...always, ...withoutMedia]) {
    const [group, name] = [entry.slice(0, entry.indexOf('.')), entry.slice(entry.indexOf('.') + 1)];
    expect([entry, Object(groups.get(group))[name]]).toEqual([entry, expect.any(String)]);
    expect([entry, rest.has(`node_modules/${name}`)]).toEqual([entry, false]);
  }
});

/** Files that a process reads when it starts: what these import, and so on. */
function loadedBy(entries: readonly string[], imports: readonly Import[]): ReadonlySet<string> {
  const found = new Set(entries);
  for (const file of found) for (const { from, to } of imports) if (from === file && to !== undefined) found.add(to);
  return found;
}

test('no process of the image starts with an import of a package that the image lacks', () => {
  const imports = readImports();
  const loaded = loadedBy(
    ['src/cli.ts', 'src/api/server.ts', 'workers/main.ts', 'workers/run/isolated-main.ts', 'workers/handlers.ts'],
    imports,
  );
  expect(loaded.size).toBeGreaterThan(300);
  const there = new Set(rootsWithout([...always, ...withoutMedia]));
  const packageOf = (specifier: string) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
  const missing = imports.flatMap(({ from, specifier, to }) => {
    // `bench` reads what an image has not, and says so
    if (!loaded.has(from) || from.startsWith('bench/')) return [];
    if (to !== undefined || !/^(@[\w-]+\/)?[a-z][\w./-]*$/.test(specifier)) return [];
    // a type is gone when the program runs
    const isType =
      new RegExp(`^import type [^;]*'${specifier}'`, 'm').test(read(from)) || isTypeOnly(read(from), specifier);
    const isLazy = read(from).includes(`import('${specifier}')`);
    return there.has(packageOf(specifier)) || isType || isLazy ? [] : [`${from}: ${specifier}`];
  });
  expect(missing).toEqual([]);
});

/** Whether all that a file imports from a package is types, named one by one. */
function isTypeOnly(text: string, specifier: string): boolean {
  const names = [...text.matchAll(new RegExp(`^import \\{([^}]*)\\} from '${specifier}'`, 'gm'))].flatMap(
    ([, list = '']) => list.split(',').map((name) => name.trim()),
  );
  return names.length > 0 && names.filter(Boolean).every((name) => name.startsWith('type '));
}
