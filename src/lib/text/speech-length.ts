/** Seconds that one character of a script takes to be said. */
const paces: readonly (readonly [RegExp, number])[] = [
  [/\p{Nd}/u, 0.33],
  [/\p{Script=Han}/u, 0.26],
  [/\p{Script=Hangul}/u, 0.18],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 0.13],
  [/[\p{Script=Devanagari}\p{Script=Thai}]/u, 0.11],
  [/[\p{Script=Arabic}\p{Script=Hebrew}]/u, 0.085],
  [/\p{L}/u, 0.055],
];
/** Seconds of the gap between two words, and of the pause at a comma or a full stop. */
const GAP = 0.045;
const PAUSE = 0.33;

/**
 * Seconds that a text takes to be read aloud at a usual speed (English: about 165 words a minute), by its characters,
 * words and pauses. An estimate: fitted to eSpeak NG, which it meets within a quarter; other voices differ more.
 */
export function estimateSpeechSeconds(text: string): number {
  let seconds = 0;
  for (const character of text) seconds += paces.find(([script]) => script.test(character))?.[1] ?? 0;
  const words = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const pauses = text.match(/[.!?;:,](?=\s|$)|[。！？，、；：।]/gu)?.length ?? 0;
  return seconds + Math.max(0, words - 1) * GAP + pauses * PAUSE;
}
