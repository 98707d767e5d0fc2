/** What a clause asks to be made, as the input of `media.generate`. */
export interface MediaWish {
  readonly capability: 'image.generate' | 'video.generate' | 'tts.synthesize' | 'music.generate';
  readonly prompt: string;
  readonly aspect?: string;
  readonly seconds?: number;
  readonly resolution?: number;
}

const MOST_SECONDS = 300;
/** Up to this many characters may lie between the verb and what is made: "make me a short, calm 6-second film". */
const WISH =
  /\b(?:make|create|generate|produce|render|draw|paint|compose|record|shoot|speak)\b[^.;!?"“]{0,80}?\b(?:(pictures?|images?|illustrations?|photos?|drawings?|posters?|paintings?)|(films?|videos?|movies?|clips?|animations?|animatics?)|(voice-?\s?overs?|narrations?)|(music|songs?|soundtracks?|melod(?:y|ies)|tunes?|jingles?))\b/i;
const capabilities = ['image.generate', 'video.generate', 'tts.synthesize', 'music.generate'] as const;

const ASPECT = /(?<![\d:])(16:9|9:16|1:1|4:5)(?![\d:])|\b(vertical|portrait|square|widescreen|landscape)\b/i;
const aspectWords: Readonly<Record<string, string>> = {
  vertical: '9:16',
  portrait: '9:16',
  square: '1:1',
  widescreen: '16:9',
  landscape: '16:9',
};
const SECONDS = /(?<![\d.])(\d{1,4}(?:\.\d{1,3})?)[ -]?(?:s|secs?|seconds?)\b/i;
const POINTER = /^(?:it|this|that|them|these|those)$/i;
const RESOLUTION = /(?<!\d)(480|720|1080|1440|2160)p\b/i;

/**
 * A picture, film, voice-over or music that a clause of a goal asks for; null where it asks for none. What comes after "of",
 * "about", "that says" or a colon, or stands in quotes, is what it shows or says; shape, length and size are taken from
 * the words around it.
 */
export function readMedia(text: string): MediaWish | null {
  const wish = WISH.exec(text);
  if (!wish) return null;
  const capability = capabilities[wish.slice(1).findIndex((found) => found !== undefined)] ?? 'image.generate';
  const after = text.slice(wish.index + wish[0].length);
  const quoted = /["“](.+?)["”]/.exec(after)?.[1];
  const plain =
    /^[^:]{0,80}?(?::|\b(?:of|about|for|from|showing|with|saying|reading|that (?:says|reads|shows))\b)\s*(.+)$/i;
  const named = quoted ?? plain.exec(after)?.[1]?.trim();
  // what "it" is, only the whole clause may tell
  const subject = named !== undefined && POINTER.test(named) ? undefined : named;
  // words that are spoken are no guess: without any there is nothing to say
  if (capability === 'tts.synthesize' && subject === undefined) return null;
  const around = quoted === undefined ? text : text.replace(quoted, '');
  const { 1: ratio, 2: word } = ASPECT.exec(around) ?? [];
  const seconds = Number(SECONDS.exec(around)?.[1] ?? Number.NaN);
  const resolution = RESOLUTION.exec(around)?.[1];
  const aspect = ratio ?? (word === undefined ? undefined : aspectWords[word.toLowerCase()]);
  const isSeen = capability === 'image.generate' || capability === 'video.generate';
  return {
    capability,
    prompt: subject ?? text,
    ...(isSeen && aspect !== undefined && { aspect }),
    ...(capability !== 'image.generate' && seconds > 0 && seconds <= MOST_SECONDS && { seconds }),
    ...(isSeen && resolution !== undefined && { resolution: Number(resolution) }),
  };
}
