import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const locks = ['package-lock.json', 'runtime/package-lock.json'];

function packagesOf(lock: string): Readonly<Record<string, LockedPackage>> {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(join(root, lock), 'utf8'));
  return packages;
}

/** Whether a package is locked where Node would look for it from the place of another. */
function isLocked(packages: Readonly<Record<string, LockedPackage>>, from: string, name: string): boolean {
  if (packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`]) return true;
  if (from === '') return false;
  return isLocked(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

test.each(locks)('%s locks every optional dependency: npm install leaves out what npm ci then misses', (lock) => {
  const packages = packagesOf(lock);
  const missing = Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, at, name))
      .map(([name, version]) => `${name}@${version} of ${at || 'package.json'}`),
  );
  expect(missing).toEqual([]);
});

/** Packages of this repository, each in a folder of its own. */
const own = ['packages/client', 'packages/react', 'packages/worker', 'packages/worker-conformance'];

test.each(locks)('%s names no registry, and has a digest for every package but those of this repository', (lock) => {
  const packages = Object.entries(packagesOf(lock)).filter(([at]) => at !== '' && !own.includes(at));
  const [links, others] = [true, false].map((isLink) => packages.filter(([, { link }]) => (link ?? false) === isLink));
  expect(others!.filter(([, { resolved }]) => resolved !== undefined).map(([at]) => at)).toEqual([]);
  expect(others!.filter(([, { integrity }]) => integrity === undefined).map(([at]) => at)).toEqual([]);
  expect(links!.map(([, { resolved }]) => resolved)).toEqual(lock === 'package-lock.json' ? own : []);
});

test('the packages of this repository are locked as their own files say', () => {
  const locked = packagesOf('package-lock.json');
  for (const at of own) {
    const { name, version, dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, at, 'package.json'), 'utf8'),
    );
    expect([at, locked[at]]).toEqual([at, expect.objectContaining({ name, version })]);
    expect([at, locked[at]]).toMatchObject([
      at,
      { ...(dependencies && { dependencies }), ...(peerDependencies && { peerDependencies }) },
    ]);
  }
});

test('every version in package.json is exact', () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'];
  const versions = groups.flatMap((group) => Object.entries(manifest[group] ?? {}));
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('certificates are written and read by one copy of a library, whose parts are kept in one container a process', () => {
  const copies = Object.keys(packagesOf('package-lock.json')).filter((at) =>
    at.endsWith('node_modules/@peculiar/x509'),
  );
  expect(copies).toEqual(['node_modules/@peculiar/x509']);
});
