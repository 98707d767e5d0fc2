import { counted } from '#src/lib/text/counted.ts';
import { textLanguage } from '#src/lib/text/text-language.ts';
import type { MadeFile, MadeMedia } from '#src/providers/local/media/media-task.ts';
import { cuesOf, webVtt } from '#src/providers/local/text/captions.ts';
import { cleanLine } from '#src/providers/local/text/clean-text.ts';
import { quoteText } from '#src/providers/local/text/quote-text.ts';
import { joinWords, splitWords } from '#src/providers/local/text/split-words.ts';
import { openSpeaker, USUAL_RATE } from './speech.ts';
import { SAMPLE_RATE, wavOf } from './wav.ts';

export interface SpeechTask {
  readonly text: string;
  readonly voice: string | null;
  readonly language: string | null;
  readonly mostSeconds: number;
}

const CAPTION_CHARACTERS = 84;

/** A text read aloud: sound, captions, and when each word is said, in seconds. */
export async function speakText({ text, voice, language, mostSeconds }: SpeechTask): Promise<MadeMedia> {
  const speaker = await openSpeaker(voice, language ?? textLanguage(text));
  const spoken = cleanLine(text);
  const { samples, words } = speaker.speak(spoken, USUAL_RATE, mostSeconds);
  const left = splitWords(spoken).slice(words.length);
  const notes = [
    ...(left.length > 0
      ? [
          `The narration was cut after ${counted(words.length, 'word')}, at ${counted(mostSeconds, 'second')}. Not spoken: ${quoteText(joinWords(left))}.`,
        ]
      : []),
    ...unreadable(speaker.voice, spoken),
  ];
  const timing = `${JSON.stringify({ voice: speaker.voice, words, notes }, null, 2)}\n`;
  const files: MadeFile[] = [
    {
      name: 'speech',
      kind: 'audio',
      mediaType: 'audio/wav',
      content: { bytes: wavOf([samples]) },
      duration: samples.length / SAMPLE_RATE,
    },
    {
      name: 'captions',
      kind: 'text',
      mediaType: 'text/vtt',
      content: { text: webVtt(cuesOf(words, CAPTION_CHARACTERS), notes) },
    },
    { name: 'words', kind: 'data', mediaType: 'application/json', content: { text: timing } },
  ];
  return { files, notes };
}

/** Finds the characters that a voice of eSpeak NG spells out instead of reading. */
function unreadable(voice: string, text: string): readonly string[] {
  if (voice !== 'ja' || !/\p{Script=Han}/u.test(text)) return [];
  return [
    'The Japanese voice of this machine cannot read kanji and spells them out; write them in kana, or use a speech provider.',
  ];
}
