import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import decompress from 'woff2-encoder/decompress';
import { holds, partsOf } from './parts.ts';
import { textRuns } from './text-runs.ts';

/**
 * Unpacks the parts of fonts that these texts need beside the main one into a folder.
 *
 * @returns paths of the TrueType files
 */
export async function unpackFonts(texts: readonly string[], folder: string): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const { text, script } of texts.flatMap(textRuns)) {
    if (script === null) continue;
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    for (const part of partsOf(script)) if (points.some((point) => holds(part, point))) files.add(part.file);
  }
  const unpacked: string[] = [];
  for (const file of files) {
    const path = join(folder, `${basename(file, '.woff2')}.ttf`);
    await writeFile(path, await decompress(await readFile(file)));
    unpacked.push(path);
  }
  return unpacked;
}
