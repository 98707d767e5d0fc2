import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type PartedScript, partedFonts } from './font-table.ts';

/** One file of a font that is cut into parts. */
export interface FontPart {
  readonly file: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const require = createRequire(import.meta.url);
const known = new Map<PartedScript, readonly FontPart[]>();

/** The parts of a font by the characters they hold, as its package lists them; none where it is not installed. */
export function partsOf(script: PartedScript): readonly FontPart[] {
  return known.getOrInsertComputed(script, readParts);
}

function readParts(script: PartedScript): readonly FontPart[] {
  const { package: name, stem, without } = partedFonts[script];
  const folder = folderOf(name);
  if (folder === null) return [];
  const listed: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8'));
  return Object.entries(listed)
    .map(([part, ranges]) => [part.replace(/[[\]]/gu, ''), ranges] as const)
    .filter(([part]) => !without.includes(part))
    .map(([part, ranges]) => ({
      file: join(folder, 'files', `${stem}-${part}-wght-normal.woff2`),
      ranges: ranges.split(',').map(rangeOf),
    }));
}

/** `U+1f300` or `U+1f302-1f308`. */
function rangeOf(text: string): readonly [number, number] {
  const [first = '', last = first] = text.replace(/^\s*U\+/iu, '').split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

/** Checks whether a part holds a character. */
export function holds({ ranges }: FontPart, point: number): boolean {
  return ranges.some(([first, last]) => point >= first && point <= last);
}

function folderOf(name: string): string | null {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}
