import type { Channel } from './words.ts';

/** Ways in which channels count a text against their limit. */
export type Counting = 'utf16' | 'bytes' | 'weighted';

/**
 * `utf16`, as JavaScript counts, wherever a channel does not say otherwise: never fewer than a person sees, so what
 * fits by it fits. YouTube counts a description in bytes of UTF-8, X by weight.
 */
const countings: Partial<Record<Channel, Counting>> = { youtube_shorts: 'bytes', x_twitter: 'weighted' };

export function countingOf(channel: Channel): Counting {
  return countings[channel] ?? 'utf16';
}

/** Length of a text in what a channel counts. */
export function countCharacters(text: string, counting: Counting): number {
  return counters[counting](text);
}

const counters: Readonly<Record<Counting, (text: string) => number>> = {
  utf16: (text) => text.length,
  bytes: (text) => new TextEncoder().encode(text).length,
  weighted,
};

/** Characters that any address counts, however long it is. */
const ADDRESS_WEIGHT = 23;
/** Code points that count one; every other counts two. */
const light: readonly (readonly [first: number, last: number])[] = [
  [0, 4_351],
  [8_192, 8_205],
  [8_208, 8_223],
  [8_242, 8_247],
];
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * X's count (configuration 3 of its twitter-text): code points of {@link light} one, others two, an emoji of however
 * many code points two, an address 23; of the text in NFC.
 */
function weighted(text: string): number {
  const normal = text.normalize('NFC');
  const addresses = normal.match(/https?:\/\/\S+/giu) ?? [];
  const rest = normal.replace(/https?:\/\/\S+/giu, '');
  let sum = addresses.length * ADDRESS_WEIGHT;
  for (const { segment } of graphemes.segment(rest)) sum += isEmoji(segment) ? 2 : weightOf(segment);
  return sum;
}

function isEmoji(segment: string): boolean {
  return /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Emoji}\uFE0F?\u20E3/u.test(segment);
}

function weightOf(segment: string): number {
  let sum = 0;
  for (const character of segment) {
    const point = character.codePointAt(0) ?? 0;
    sum += light.some(([first, last]) => point >= first && point <= last) ? 1 : 2;
  }
  return sum;
}
