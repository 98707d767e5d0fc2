import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { version } from '#src/system/config/version.ts';

/** Folder of this program: of the checkout, or of the package below `node_modules`. */
const root = join(import.meta.dirname, '../../..');
const modules = dirname(root);

interface Installed {
  readonly packages: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/**
 * The dependencies of a project in a folder on packages of ours, as its package.json names them: the very tarballs where
 * npm has installed us from tarballs, else the version of this program.
 */
export function ownPackages(names: readonly string[], folder: string): Readonly<Record<string, string>> {
  const list = join(modules, '.package-lock.json');
  const { packages }: Installed = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : { packages: {} };
  return Object.fromEntries(
    names.map((name) => {
      const { resolved = '' } = packages[`node_modules/${name}`] ?? {};
      if (!resolved.startsWith('file:')) return [name, version];
      const tarball = resolve(dirname(modules), resolved.slice('file:'.length));
      return [name, `file:${relative(folder, tarball).replaceAll('\\', '/')}`];
    }),
  );
}

/** Versions of the tools that a new project in TypeScript is checked with: those that this program is checked with. */
export function typeTools(): Readonly<Record<string, string>> {
  const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const names = ['@types/node', 'typescript'];
  return Object.fromEntries(names.flatMap((name) => (devDependencies[name] ? [[name, devDependencies[name]]] : [])));
}
