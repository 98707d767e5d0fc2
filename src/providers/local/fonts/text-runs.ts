import type { PartedScript } from './font-table.ts';

/** A part of a text that one font draws. */
export interface FontRun {
  readonly text: string;
  /** Null for the main font. */
  readonly script: PartedScript | null;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const CHINESE = /[\p{Script=Han}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u;
/** Signs that look like text in the main font, and are one there. */
const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|[\u{1F000}-\u{1FAFF}]/u;
const JOINS = /\p{M}|\p{Join_Control}|\p{Variation_Selector}|\p{Emoji_Modifier}/u;

/** Returns the font that a character needs; undefined where its neighbours decide. */
function scriptOf(character: string, isJapanese: boolean): PartedScript | null | undefined {
  if (KANA.test(character)) return 'japanese';
  if (CHINESE.test(character)) return isJapanese ? 'japanese' : 'chinese';
  if (/\p{Script=Hangul}/u.test(character)) return 'korean';
  if (/\p{Script=Thai}/u.test(character)) return 'thai';
  if (JOINS.test(character)) return undefined;
  if (EMOJI.test(character)) return 'emoji';
  return /\s/u.test(character) ? undefined : null;
}

/**
 * A text in runs of one font each. A script that is shaped (Thai) has to be in one piece, blanks included.
 */
export function textRuns(text: string): readonly FontRun[] {
  const isJapanese = KANA.test(text);
  const runs: { text: string; script: PartedScript | null }[] = [];
  for (const character of text) {
    const script = scriptOf(character, isJapanese);
    const last = runs.at(-1);
    if (last && (script === undefined || script === last.script)) last.text += character;
    else runs.push({ text: character, script: script ?? null });
  }
  return runs;
}
