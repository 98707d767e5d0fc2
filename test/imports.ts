import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface Import {
  /** The importing file, from the root of the repository. */
  readonly from: string;
  /** What it names, as it stands there. */
  readonly specifier: string;
  /** The file of ours that is meant, from the root; undefined for a package or a part of Node. */
  readonly to: string | undefined;
}

/** Every import of every TypeScript file of the system and its tests: static, dynamic, of types and of values. */
export function readImports(): readonly Import[] {
  const files = globSync(
    '{src,queues,workers,sql,test,bench,deploy,dashboards/grafana,dashboards/prometheus}/**/*.ts',
    // programs for clients that generators write: no part of the house
    { cwd: root, exclude: ['test/generators/programs/**'] },
  );
  return files.flatMap((from) =>
    specifiers(readFileSync(join(root, from), 'utf8')).map((specifier) => ({
      from,
      specifier,
      to: target(from, specifier),
    })),
  );
}

const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\.meta\.resolve\s*\(\s*|^\s*import\s+)(['"])([^'"\n]+)\1/gm;

function specifiers(code: string): readonly string[] {
  return [...withoutComments(code).matchAll(pattern)].map(([, , specifier = '']) => specifier);
}

/** An example in a comment imports nothing. */
function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function target(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(from), specifier));
  return undefined;
}
