import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export const readmes = [
  'packages/client/README.md',
  'packages/worker/README.md',
  'packages/react/README.md',
  'packages/worker-conformance/README.md',
] as const;

/** Examples of a page by the file name in their first line. @throws for an example without one */
export function examplesOf(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, page), 'utf8');
  return new Map(
    [...text.matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)].map(([, code = '']) => {
      const file = /^\/\/ (\S+)\n/.exec(code)?.[1];
      if (file === undefined) throw new Error(`${page}: expected the name of a file at the top of:\n${code}`);
      return [file, code];
    }),
  );
}

/** Writes the examples of a page into a folder of its own below another, which has our packages; gives its path. */
export function writeExamples(folder: string, page: string): string {
  const own = join(folder, page.split('/')[1] ?? '');
  mkdirSync(own);
  symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'));
  writeFileSync(join(own, 'package.json'), '{ "type": "module" }');
  for (const [file, code] of examplesOf(page)) writeFileSync(join(own, file), code);
  return own;
}

/** Arguments by which Node runs an example on the sources of our packages. */
export const fromSource = ['--conditions=@proofline/source'];
