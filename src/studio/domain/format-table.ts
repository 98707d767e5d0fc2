import type { Aspect } from './channel-formats.ts';

/** Something that a format can ask for; a recording is a file of sound alone, a soundtrack is the sound of a film. */
export type Medium = 'film' | 'picture' | 'sound' | 'soundtrack' | 'recording';

/** A shape that a format names: by a ratio, by a size in pixels, or by a word that says which side is the longer. */
export interface NamedShape {
  readonly aspect: Aspect;
  readonly by: 'ratio' | 'pixels' | 'word';
  readonly written: string;
}

/** Content of one part of a format's text. */
export interface Said {
  readonly shape?: NamedShape;
  /** Shape of the films of a place, used where no shape is named. */
  readonly place?: Aspect;
  /** Pixels of the short side. */
  readonly resolution?: number;
  readonly seconds?: number;
  /** Requested kind of medium, and the word that names it. */
  readonly medium?: { readonly kind: Medium; readonly written: string };
  /** Difference between this text and what is made, in a sentence. */
  readonly warning?: string;
}

type Reader = (found: RegExpExecArray) => Said | null;

const ratios: readonly (readonly [Aspect, number])[] = [
  ['16:9', 16 / 9],
  ['9:16', 9 / 16],
  ['1:1', 1],
  ['4:5', 4 / 5],
];
const SAME_RATIO = 0.02;
/** Longest ratio of sides that counts as the shape of a film. */
const MOST_RATIO = 4;
const FRAMES_PER_SECOND = 24;

/** The shape of a width and a height; the nearest, with a warning, of one that is none of the four. */
function shapeOf(width: number, height: number, by: 'ratio' | 'pixels', written: string): Said {
  const ratio = width / height;
  const distance = (one: number) => Math.abs(Math.log(ratio / one));
  const [nearest = ratios[0]] = ratios.toSorted((left, right) => distance(left[1]) - distance(right[1]));
  const aspect = nearest?.[0] ?? '16:9';
  const shape = { aspect, by, written };
  if (distance(nearest?.[1] ?? 1) < SAME_RATIO) return { shape };
  return {
    shape,
    warning: `${written} is none of the shapes that are made (16:9, 9:16, 1:1, 4:5): ${aspect} is the nearest.`,
  };
}

const number = (text: string | undefined): number => Number((text ?? '').replace(',', '.'));
const says =
  (said: Said): Reader =>
  () =>
    said;
const makes =
  (kind: Medium): Reader =>
  ([written]) => ({ medium: { kind, written } });
const shaped =
  (aspect: Aspect): Reader =>
  ([written]) => ({ shape: { aspect, by: 'word', written } });
/** Matches whole words; a blank in one matches any blanks, hyphens or underscores. */
const words = (...list: readonly string[]): RegExp =>
  new RegExp(`(?:${list.join('|').replaceAll(' ', '[\\s_-]*')})(?![\\p{L}\\p{N}])`, 'iuy');

/** Spellings of formats, the longer first. A part that none of these reads is reported to the brief's author. */
export const formatTable: readonly (readonly [RegExp, Reader])[] = [
  // 1920x1080, 1080 × 1920 px
  [
    /(\d{3,5})\s*[x×*]\s*(\d{3,5})\s*(?:px|pixels?)?(?![\p{L}\p{N}])/iuy,
    ([written, width, height]) => ({
      ...shapeOf(number(width), number(height), 'pixels', written.trim()),
      resolution: Math.min(number(width), number(height)),
    }),
  ],
  // 10-15s, 6 to 8 seconds: the longer
  [
    /\d{1,4}(?:[.,]\d{1,2})?\s*(?:-|–|to)\s*(\d{1,4}(?:[.,]\d{1,2})?)\s*[- ]?(?:seconds?|secs?|s)(?![\p{L}\p{N}])/iuy,
    ([, most]) => ({ seconds: number(most) }),
  ],
  // 1m30s, 1 min 30
  [
    /(\d{1,3})\s*(?:minutes?|mins?|m)\s*(\d{1,2})\s*(?:seconds?|secs?|s)?(?![\p{L}\p{N}])/iuy,
    ([, minutes, seconds]) => ({ seconds: number(minutes) * 60 + number(seconds) }),
  ],
  [
    /(\d{1,4}(?:[.,]\d{1,2})?)\s*-?\s*(?:seconds?|secs?|s)(?![\p{L}\p{N}])/iuy,
    ([, seconds]) => ({ seconds: number(seconds) }),
  ],
  [
    /(\d{1,3}(?:[.,]\d{1,2})?)\s*-?\s*(?:minutes?|mins?)(?![\p{L}\p{N}])/iuy,
    ([, minutes]) => ({ seconds: number(minutes) * 60 }),
  ],
  // 16:9, 9x16, 4/5, 2.39:1; not 116:9
  [
    /(\d{1,2}(?:\.\d{1,2})?)\s*[:x×/]\s*(\d{1,2}(?:\.\d{1,2})?)(?![\p{L}\p{N}])/iuy,
    ([written, width, height]) => {
      const isLength = /^\d{1,2}:[0-5]\d$/.test(written) && number(width) < 5 && !['3:4', '4:5'].includes(written);
      if (isLength) return { seconds: number(width) * 60 + number(height) };
      const ratio = number(width) / number(height);
      return ratio > 1 / MOST_RATIO && ratio < MOST_RATIO
        ? shapeOf(number(width), number(height), 'ratio', written)
        : null;
    },
  ],
  // 1080p60, 720p, 1080i
  [
    /(\d{3,4})\s*[pi](?:(\d{2,3}))?(?![\p{L}\p{N}])/iuy,
    ([, lines, rate]) => ({
      resolution: number(lines),
      ...rateOf(rate === undefined ? FRAMES_PER_SECOND : number(rate)),
    }),
  ],
  [/(\d{2,3}(?:\.\d{1,3})?)\s*fps(?![\p{L}\p{N}])/iuy, ([, rate]) => rateOf(number(rate))],
  [words('8k'), says({ resolution: 4_320 })],
  [words('4k uhd', 'ultra hd', '4k', 'uhd'), says({ resolution: 2_160 })],
  [words('2k', 'qhd', 'wqhd'), says({ resolution: 1_440 })],
  [words('full hd', 'fhd'), says({ resolution: 1_080 })],
  [words('hd'), says({ resolution: 720 })],
  [words('sd'), says({ resolution: 480 })],
  // places, the narrower first
  [
    words(
      'instagram stor(?:y|ies)',
      'instagram reels?',
      'ig stor(?:y|ies)',
      'ig reels?',
      'insta reels?',
      'insta stor(?:y|ies)',
    ),
    says({ place: '9:16' }),
  ],
  [
    words('facebook stor(?:y|ies)', 'facebook reels?', 'fb stor(?:y|ies)', 'fb reels?', 'whatsapp status'),
    says({ place: '9:16' }),
  ],
  [
    words(
      'tik ?tok',
      'you ?tube shorts?',
      'yt shorts?',
      'shorts?',
      'reels?',
      'stor(?:y|ies)',
      'snap ?chat',
      'spotlight',
    ),
    says({ place: '9:16' }),
  ],
  [words('instagram', 'insta', 'ig'), says({ place: '4:5' })],
  [words('linked ?in'), says({ place: '1:1' })],
  [words('pinterest', 'idea pins?', 'pins?'), says({ place: '9:16' })],
  [words('shopify'), says({ place: '1:1' })],
  [words('facebook', 'fb'), says({ place: '4:5' })],
  [
    words('you ?tube', 'yt', 'vimeo', 'twitter', 'x(?:\\.com)?', 'gumroad', 'tv', 'television', 'cinema', 'desktop'),
    says({ place: '16:9' }),
  ],
  // shapes
  [words('landscape', 'horizontal', 'wide ?screen'), shaped('16:9')],
  [words('vertical', 'upright'), shaped('9:16')],
  [words('portrait'), shaped('4:5')],
  [words('square'), shaped('1:1')],
  // what is to be made
  [words('mp4', 'h\\.?264', 'avc', 'videos?', 'films?', 'clips?'), makes('film')],
  [words('png', 'images?', 'pictures?', 'stills?'), makes('picture')],
  [words('audio'), makes('sound')],
  [words('aac'), makes('soundtrack')],
  [words('wav'), makes('recording')],
  // words that ask for nothing
  [
    words(
      'for',
      'in',
      'at',
      'as',
      'an?',
      'the',
      'of',
      'and',
      'with',
      'on',
      'long',
      'length',
      'aspect',
      'ratio',
      'format',
      'resolution',
      'size',
      'feed',
      'posts?',
      'ads?',
      'version',
      'only',
      'px',
      'format',
    ),
    says({}),
  ],
];

function rateOf(rate: number): Said {
  return rate === FRAMES_PER_SECOND
    ? {}
    : { warning: `${rate} frames a second were requested; films here have ${FRAMES_PER_SECOND}.` };
}
