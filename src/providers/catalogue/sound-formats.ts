import type { Provider } from './catalogue.ts';

/**
 * Formats of speech in OpenAI's words, and what they are. `pcm` has no head: 24 kHz, 16 bits, one channel, as there.
 */
export const soundFormats = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
} as const;
export type SoundType = (typeof soundFormats)[keyof typeof soundFormats];

/** Samples a second of `pcm`. */
export const PCM_RATE = 24_000;

/**
 * Types of sound that each style gives by itself; for anything else FFmpeg is needed, and styles without a list may
 * give anything.
 */
const ownTypes: Partial<Readonly<Record<Provider['style'], readonly SoundType[]>>> = {
  'openai-compatible': ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/wav'],
  'local-animatic': ['audio/wav'],
};

/**
 * Returns the reason why a provider cannot give this type of sound here, before it is called; null where it can.
 *
 * @param lacking why there is no FFmpeg to convert its sound; null where there is one
 */
export function whyNoSound(
  { style }: Pick<Provider, 'style'>,
  mediaType: SoundType | null,
  lacking: string | null,
): string | null {
  if (mediaType === null || lacking === null || ownTypes[style]?.includes(mediaType)) return null;
  return `its sound would have to be converted to ${mediaType} here, and ${lacking}`;
}

/** Returns the type that sound is converted to, where the request names one of these. */
export function soundType(mediaType: string | undefined): SoundType | null {
  return Object.values(soundFormats).find((type) => type === mediaType) ?? null;
}
