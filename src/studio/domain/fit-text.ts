import { channelFormats } from './channel-formats.ts';
import { type Counting, countCharacters, countingOf } from './count-characters.ts';
import type { Channel } from './words.ts';

/** The shortest limit among the channels (Instagram's), so that one text serves all. */
const ALT_CHARACTERS = 100;
const ELLIPSIS = '…';
const HASHTAG = /(?<![\p{L}\p{N}_&/])#([\p{L}\p{M}\p{N}_]*\p{L}[\p{L}\p{M}\p{N}_]*)/gu;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text as a channel gets it. */
export interface FittedText {
  readonly text: string;
  /** Changes that make it fit, in sentences. */
  readonly warnings: readonly string[];
}

/** The approved text as the caption of a channel: within its count of hashtags first, then within its length. */
export function captionFor(channel: Channel, approved: string): FittedText {
  const { title, caption, hashtags } = channelFormats[channel];
  const counting = countingOf(channel);
  const plain = plainText(approved);
  const tagged = limitHashtags(plain, hashtags);
  const text = cutAtWord(tagged, caption, counting);
  return {
    text,
    warnings: [
      ...(tagged === plain
        ? []
        : [`${title} takes ${hashtags || 'no'} hashtags; ${hashtags ? 'those after that' : 'they'} are left out.`]),
      ...(text === tagged
        ? []
        : [
            `${title} takes ${caption} ${units[counting]}, and the caption has ${countCharacters(tagged, counting)}; it is cut.`,
          ]),
    ],
  };
}

const units: Readonly<Record<Counting, string>> = {
  utf16: 'characters',
  bytes: 'bytes of UTF-8',
  weighted: 'weighted characters',
};

/**
 * Returns the post's headline on a channel: its title, or else the first sentence of the text. Null where the channel
 * has none.
 */
export function headlineFor(channel: Channel, title: string | null, approved: string): string | null {
  const { headline } = channelFormats[channel];
  if (headline === null) return null;
  const text = oneLine(title ?? firstSentence(approved));
  return text === '' ? null : cutAtWord(text, headline, 'utf16');
}

/**
 * Builds the text that a screen reader says in place of a picture or film. It states the request: the result has not
 * been looked at.
 */
export function altTextOf(what: string, title: string | null, approved: string): string {
  const about = oneLine(title ?? firstSentence(approved));
  return cutAtWord(about === '' ? what : `${what}: ${about}`, ALT_CHARACTERS, 'utf16');
}

/**
 * A text of at most `limit`: whole, or cut after a word, with an ellipsis. Never within what a reader sees as one
 * character; within a word only where a single word is longer.
 */
export function cutAtWord(text: string, limit: number, counting: Counting): string {
  if (countCharacters(text, counting) <= limit) return text;
  const ends = Array.from(graphemes.segment(text), ({ index, segment }) => index + segment.length);
  const fits = (end: number) => countCharacters(text.slice(0, end).trimEnd() + ELLIPSIS, counting) <= limit;
  let [low, high] = [-1, ends.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(ends[middle] ?? 0)) low = middle;
    else high = middle - 1;
  }
  const end = ends[low] ?? 0;
  const isAtWord = /\s/u.test(text[end] ?? '');
  const words = isAtWord ? text.slice(0, end) : text.slice(0, end).replace(/\s\S*$/u, '');
  return words.trimEnd() + ELLIPSIS;
}

/**
 * Keeps the first hashtags. Those after them go where they close the text, and lose their sign where they are words in
 * it.
 */
export function limitHashtags(text: string, most: number): string {
  const all = [...text.matchAll(HASHTAG)];
  if (all.length <= most) return text;
  const closing = /(?:\s*#[\p{L}\p{M}\p{N}_]+)+\s*$/u.exec(text)?.index ?? text.length;
  let count = 0;
  return text
    .replace(HASHTAG, (tag, word: string, index: number) => {
      if (count++ < most) return tag;
      return index >= closing ? '' : word;
    })
    .replace(/[^\S\n]{2,}/gu, ' ')
    .trimEnd();
}

/** Well-formed, without control characters but new lines. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/gu, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim();
}

function oneLine(text: string): string {
  return plainText(text).replace(/\s+/gu, ' ');
}

function firstSentence(text: string): string {
  return /^.*?[.!?。！？](?=\s|$)|^[^\n]+/u.exec(plainText(text))?.[0] ?? '';
}
