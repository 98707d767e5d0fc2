import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Files that are copied as they stand. */
const asTheyAre = [
  'LICENSE',
  '{src,sql}/**/*.{sql,json,csv}',
  'docs/errors.md',
  'dashboards/verify/*.{html,css}',
  'dashboards/console/dist/**/*.*',
  'runtime/package*.json',
  'python/{pyproject.toml,README.md}',
  'python/proofline/**/*.{py,typed}',
  'packages/templates/**/*.*',
];
/** Files that are compiled. */
const programs = ['bin/*.mjs', '{src,queues,workers,sql}/**/*.ts'];

/** Entry that programs of others import as `proofline/worker`. */
const entry = 'workers/serve-jobs';

/** A text that names one of our sources: beside it, by its room, or from the root. */
const ownPath = /(['"])((?:\.{1,2}\/|#?(?:src|queues|workers|sql|bench)\/)[^'"\s$]*)\.ts\1/g;
/** A text that names a file in any other way. */
const otherPath = /(['"])[\w./-]*?([\w.-]+\.ts)\1/g;

/**
 * Writes the package `proofline` into a folder: the program as JavaScript, because Node runs no TypeScript below
 * `node_modules`; the console, built; and what both read.
 *
 * @throws where a program names a source in a way that is not followed
 */
export function writeProgram(folder: string): void {
  execFileSync(process.execPath, [join(root, 'src/cli.ts'), 'console'], { cwd: root, stdio: ['ignore', 'ignore', 2] });
  for (const file of globSync(asTheyAre, { cwd: root })) cpSync(join(root, file), join(folder, file));
  const sources = globSync(programs, { cwd: root });
  const names = new Set(sources.map((path) => basename(path)));
  for (const file of sources) {
    const to = join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, compiled(file, names));
  }
  writeTypes(folder);
  cpSync(join(import.meta.dirname, 'proofline.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** Writes the types of the entry that programs of others import, from its own text alone: it names every type it shows. */
function writeTypes(folder: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const alone = ['--ignoreConfig', '--noResolve', '--noCheck', '--declaration', '--emitDeclarationOnly'];
  const place = ['--target', 'esnext', '--module', 'nodenext', '--rootDir', root, '--outDir', folder];
  execFileSync(process.execPath, [compiler, ...alone, ...place, join(root, `${entry}.ts`)]);
}

/**
 * A source without its types, line by line where it was, that names the others as they are called in the package.
 *
 * @param names of all sources, without folders: one that is named in another way would be looked for in vain
 */
function compiled(file: string, names: ReadonlySet<string>): string {
  const source = readFileSync(join(root, file), 'utf8');
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const text = code.replaceAll(ownPath, '$1$2.js$1');
  const left = [...text.matchAll(otherPath)].find(([, , name = '']) => names.has(name));
  if (left)
    throw new Error(`${file}: expected a path that begins with ./, ../, # or a folder of the root, got ${left[0]}.`);
  return text;
}

/** Large packages with GPL parts, left to those who want films, voices, or proofs of who they are from this machine. */
const onRequest = [
  '@echogarden/espeak-ng-emscripten',
  '@semaphore-protocol/core',
  '@zk-kit/semaphore-artifacts',
  'node-av',
] as const;

type Names = Readonly<Record<string, string>>;

interface Manifest {
  readonly version: string;
  readonly exports: Names;
  readonly imports: Names;
  readonly dependencies: Names;
  readonly devDependencies: Names;
  readonly optionalDependencies: Names;
  readonly [other: string]: unknown;
}

/** The package.json of the package: that of the checkout, without what only its development needs. */
function manifest(): Readonly<Record<string, unknown>> {
  const { exports, imports, dependencies, devDependencies, optionalDependencies, ...own }: Manifest = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const isOnRequest = (name: string) => onRequest.some((one) => one === name);
  return {
    ...picked(own, (name) => !['workspaces', 'scripts', 'overrides'].includes(name)),
    // the entry for workers runs jobs as this defines them
    dependencies: { ...dependencies, '@proofline/worker': own.version },
    exports: { ...exports, './worker': { types: `./${entry}.d.ts`, default: `./${entry}.js` } },
    imports: picked(imports, (name) => /^#(src|queues|workers|sql)\//.test(name)),
    optionalDependencies: picked(optionalDependencies, (name) => !isOnRequest(name)),
    peerDependencies: Object.fromEntries(onRequest.map((name) => [name, `^${optionalDependencies[name]}`])),
    peerDependenciesMeta: Object.fromEntries(onRequest.map((name) => [name, { optional: true }])),
    // which versions a new project begins with
    devDependencies: picked(devDependencies, (name) => name === 'typescript' || name === '@types/node'),
  };
}

function picked<V>(from: Readonly<Record<string, V>>, fits: (name: string) => boolean): Record<string, V> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => fits(name)));
}
