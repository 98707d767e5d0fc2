import { wordSet } from './rule.ts';

/** Capabilities, by the words that name what they make. */
export const mediaKinds: readonly (readonly [words: ReadonlySet<string>, capability: string])[] = [
  [
    wordSet(
      'picture pictures image images illustration illustrations photo photos drawing drawings poster posters painting paintings pic pics artwork logo logos banner banners',
    ),
    'image.generate',
  ],
  [
    wordSet('film films video videos movie movies clip clips animation animations animatic animatics'),
    'video.generate',
  ],
  [wordSet('voice-over voice-overs voiceover voiceovers narration narrations'), 'tts.synthesize'],
  [wordSet('music song songs soundtrack soundtracks melody melodies tune tunes jingle jingles'), 'music.generate'],
];

export function isMediaWord(low: string): boolean {
  return mediaKinds.some(([words]) => words.has(low));
}
