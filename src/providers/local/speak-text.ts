import { cuesOf, webVtt } from './captions.ts';
import { cleanLine } from './clean-text.ts';
import type { MediaFile } from './media-task.ts';
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
export async function speakText({ text, voice, language, mostSeconds }: SpeechTask): Promise<MediaFile[]> {
  const speaker = await openSpeaker(voice, language);
  const spoken = cleanLine(text);
  const { samples, words } = speaker.speak(spoken, USUAL_RATE, mostSeconds);
  const isCut = words.length < spoken.split(' ').length;
  const notes = isCut ? [`The text was cut after ${words.length} words, at ${mostSeconds} seconds.`] : [];
  const timing = `${JSON.stringify({ voice: speaker.voice, words, notes }, null, 2)}\n`;
  return [
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
}
