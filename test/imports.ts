import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const here = join(import.meta.dirname, '..');

/** The ways in which a file names another one. A type is gone when the program runs; a URL starts a thread or a process, or is read. */
export type ImportKind = 'value' | 'type' | 'dynamic' | 'url';

export interface Import {
  /** The importing file, from the root of the repository. */
  readonly from: string;
  /** The specifier, as it stands there. */
  readonly specifier: string;
  /** The file of the repository that it names, from the root; undefined for a package or a part of Node. */
  readonly to: string | undefined;
  readonly kind: ImportKind;
}

/**
 * Every import of every TypeScript file of the system and its tests: static, dynamic, of types and of values, and by
 * `new URL(…, import.meta.url)`.
 *
 * @param root folder of the repository
 */
export function readImports(root = here): readonly Import[] {
  const files = globSync('{src,queues,workers,sql,test,bench,deploy,dashboards,packages}/**/*.{ts,tsx}', {
    cwd: root,
    // programs for clients that generators write are no part of the house, and what is built is none either
    exclude: ['test/generators/programs/**', '**/node_modules/**', 'dashboards/console/dist/**', 'packages/*/dist/**'],
  });
  return files.flatMap((from) =>
    specifiers(readFileSync(join(root, from), 'utf8')).map(({ specifier, kind }) => ({
      from,
      specifier,
      to: target(from, specifier),
      kind,
    })),
  );
}

const statement =
  /^\s*(?:import|export)\s+(?<type>type\s+)?(?<names>[^'";]*?)\bfrom\s*(['"])(?<specifier>[^'"\n]+)\3/gm;
const bare = /^\s*import\s+(['"])(?<specifier>[^'"\n]+)\1/gm;
const dynamic = /\bimport(?:\.meta\.resolve)?\s*\(\s*(['"])(?<specifier>[^'"\n]+)\1/g;
const typeOf = /\btypeof import\s*\(\s*(['"])(?<specifier>[^'"\n]+)\1/g;
const url = /\bnew URL\(\s*(['"`])(?<specifier>\.[^'"`$\n]*)\1\s*,\s*import\.meta\.url/g;

function specifiers(code: string): readonly { readonly specifier: string; readonly kind: ImportKind }[] {
  const text = withoutComments(code);
  const all = (pattern: RegExp, kind: ImportKind) =>
    [...text.matchAll(pattern)].map(({ groups }) => ({ specifier: groups?.['specifier'] ?? '', kind }));
  const statements = [...text.matchAll(statement)].map(({ groups }) => {
    const { type, names = '', specifier = '' } = groups ?? {};
    return { specifier, kind: type !== undefined || areTypes(names) ? ('type' as const) : ('value' as const) };
  });
  const types = all(typeOf, 'type');
  const asked = all(dynamic, 'dynamic').filter((one) => !types.some(({ specifier }) => specifier === one.specifier));
  return [...statements, ...all(bare, 'value'), ...asked, ...types, ...all(url, 'url')];
}

/** Tells whether each name in braces is imported as a type. */
function areTypes(names: string): boolean {
  const list = /^\s*\{(.*)\}\s*$/s.exec(names)?.[1]?.split(',') ?? [];
  const named = list.map((name) => name.trim()).filter((name) => name !== '');
  return named.length > 0 && named.every((name) => name.startsWith('type '));
}

/** An example in a comment imports nothing. */
function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function target(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#console/')) return `dashboards/console/${specifier.slice('#console/'.length)}`;
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('@proofline/')) return sourceOf(specifier);
  if (specifier.startsWith('.')) return relative('/', join('/', dirname(from), specifier));
  return undefined;
}

/** The source that an entry of one of our packages is made of. */
function sourceOf(specifier: string): string | undefined {
  const [, name = '', entry = ''] = /^@proofline\/([a-z]+)(.*)$/.exec(specifier) ?? [];
  const manifest = readFileSync(join(here, 'packages', name, 'package.json'), 'utf8');
  const { exports }: { exports: Record<string, { '@proofline/source'?: string }> } = JSON.parse(manifest);
  const source = exports[`.${entry}`]?.['@proofline/source'];
  return source === undefined ? undefined : join('packages', name, source);
}
