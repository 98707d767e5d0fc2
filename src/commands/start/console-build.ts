import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { consoleFolder, noncePlace, verifyScript } from '#src/http/content/built-files.ts';
import { AppError } from '#src/lib/errors.ts';

const root = join(import.meta.dirname, '../../..');
const source = join(root, 'dashboards/console');
const verifySource = join(root, 'dashboards/verify');
/** File that names the sources of the build: the SHA-256 of each, by its path from the root. Written last. */
const builtFrom = join(consoleFolder, 'built-from.json');

/** Besides the modules of the bundle. */
const alwaysUsed = ['dashboards/console/index.html', 'package-lock.json', 'src/commands/start/console-build.ts'];

/** Checks whether the console is built from its present sources. A package comes with the build and without sources. */
export function isConsoleFresh(): boolean {
  if (!existsSync(join(source, 'index.html'))) return true;
  try {
    const files: Record<string, string> = JSON.parse(readFileSync(builtFrom, 'utf8'));
    return Object.entries(files).every(([file, hash]) => hashOf(file) === hash);
  } catch {
    // never built, half built, or a source is gone
    return false;
  }
}

/**
 * Builds the console where it is missing or not of these sources, in a process of its own: what it is built with is
 * large.
 *
 * @throws AppError `unavailable` with what the build says when it fails; the signal's reason when it is aborted.
 */
export async function freshConsole(say: (line: string) => void, signal?: AbortSignal): Promise<void> {
  if (isConsoleFresh()) return;
  say('building the web console …');
  const argv = [join(root, 'src/cli.ts'), 'console'];
  await promisify(execFile)(process.execPath, argv, { cwd: root, ...(signal && { signal }) }).catch(
    (error: unknown) => {
      signal?.throwIfAborted();
      const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
      throw new AppError('unavailable', `The web console cannot be built:\n${output}`, {}, error);
    },
  );
}

/**
 * Builds the console, and the script of the page that checks receipts, into `dashboards/console/dist`, each file also
 * compressed. The console's files have the hash of their content in their names and its page comes last, so those who
 * look at it meanwhile, and other builds of the same, are not in the way.
 */
export async function buildConsole(): Promise<void> {
  // where something else is set (tests set test), React for developers would be built in
  process.env['NODE_ENV'] = 'production';
  const used = new Set(alwaysUsed);
  const { default: react } = await import('@vitejs/plugin-react');
  const contents = await bundle(used, {
    root: source,
    html: { cspNonce: noncePlace },
    plugins: [react()],
    build: {
      assetsDir: 'console',
      // as a file it comes from here, as data it would not be allowed to
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_200,
    },
  });
  const verifier = await bundle(used, {
    root: verifySource,
    build: {
      rolldownOptions: {
        input: join(verifySource, 'page.ts'),
        // one file, which needs no hash: it is small, and requested by people who check a receipt
        output: { entryFileNames: verifyScript, codeSplitting: false },
      },
    },
  });
  for (const folder of ['console', dirname(verifyScript)]) mkdirSync(join(consoleFolder, folder), { recursive: true });
  const hashes = Object.fromEntries([...used].toSorted().map((file) => [file, hashOf(file)]));
  const assets = contents.filter(([name]) => name.startsWith('console/'));
  for (const [name, content] of [...verifier, ...assets]) writeCompressed(join(consoleFolder, name), content);
  for (const [name, content] of contents)
    if (!assets.some(([one]) => one === name)) replace(join(consoleFolder, name), content);
  replace(builtFrom, JSON.stringify(hashes, null, 2));
  removeOthers(new Set(assets.map(([name]) => basename(name))));
}

/** Names and contents of what is built; notes the files of this repository that it was built from. */
export async function bundle(
  used: Set<string>,
  config: InlineConfig,
): Promise<readonly (readonly [string, string | Uint8Array])[]> {
  const { build } = await import('vite');
  const note = {
    name: 'what-it-was-built-from',
    moduleParsed: ({ id }: { id: string }) => {
      const path = relative(root, id.split('?')[0] ?? id);
      if (!path.startsWith('..') && !id.includes('\0') && !path.includes('node_modules')) used.add(path);
    },
  };
  const built = await build({
    logLevel: 'warn',
    ...config,
    configFile: false,
    build: { ...config.build, write: false, target: 'es2023' },
    plugins: [...(config.plugins ?? []), note],
  });
  const output = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]);
}

function hashOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex');
}

function writeCompressed(path: string, content: string | Uint8Array): void {
  replace(path, content);
  replace(`${path}.gz`, gzipSync(content, { level: 9 }));
  replace(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

/** Replaces a file at once: a reader has the old or the new one, never half of one. */
function replace(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}

/** Removes the files of builds before this one. */
function removeOthers(kept: ReadonlySet<string>): void {
  const folder = join(consoleFolder, 'console');
  for (const name of readdirSync(folder))
    if (!kept.has(name.replace(/\.(gz|br)$/, ''))) rmSync(join(folder, name), { force: true });
}
