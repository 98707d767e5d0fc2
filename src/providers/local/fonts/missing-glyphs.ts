import { readFile } from 'node:fs/promises';
import { mediaPackage } from '#src/providers/local/media/media-packages.ts';
import { cleanText } from '#src/providers/local/text/clean-text.ts';
import { charactersOf } from './character-map.ts';
import { holds, partsOf } from './parts.ts';
import { emojiInParts, withPlainEmoji } from './plain-emoji.ts';
import { textRuns } from './text-runs.ts';

/** Named in a sentence; of more only the number is said. */
const MOST_NAMED = 12;
/** Nothing is drawn for these. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

let mainCharacters: Promise<ReadonlySet<number>> | undefined;

/** Characters of a text that no font here has, each once, in their order: they would be drawn as boxes. */
export async function missingGlyphs(text: string): Promise<readonly string[]> {
  mainCharacters ??= readMain();
  const main = await mainCharacters;
  const missing = new Set<string>();
  for (const { text: run, script } of textRuns(withPlainEmoji(cleanText(text)))) {
    for (const character of run) {
      const point = character.codePointAt(0) ?? 0;
      if (UNSEEN.test(character) || main.has(point)) continue;
      if (script === null || !partsOf(script).some((part) => holds(part, point))) missing.add(character);
    }
  }
  return [...missing];
}

/** Warns of a text that is drawn here and looks otherwise than it was written; empty where it does not. */
export async function glyphWarnings(text: string): Promise<readonly string[]> {
  const missing = (await missingGlyphs(text)).map((one) => `${one} (U+${hexOf(one)})`);
  const parted = [...emojiInParts(cleanText(text))].map(([whole, part]) => `${whole} as ${part}`);
  return [
    ...(missing.length > 0
      ? [
          `No font here can draw ${listed(missing)}: each is shown as an empty box. Write the text without them, or have another provider make this.`,
        ]
      : []),
    ...(parted.length > 0 ? [`Emoji of several parts are drawn by their first part: ${listed(parted)}.`] : []),
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

async function readMain(): Promise<ReadonlySet<number>> {
  try {
    const [regular = ''] = await mediaPackage('dejavu-fonts-ttf');
    return charactersOf(await readFile(regular));
  } catch (error) {
    // the next call looks again
    mainCharacters = undefined;
    throw error;
  }
}
