import { mediaPackage } from '#src/providers/local/media/media-packages.ts';
import type { SpokenWord } from '#src/providers/local/text/captions.ts';
import { splitWords, type WrittenWord } from '#src/providers/local/text/split-words.ts';
import { SAMPLE_RATE } from './wav.ts';

/** Words a minute: as usual, and as fast as it can be followed. */
export const USUAL_RATE = 165;
export const FASTEST_RATE = 260;
/** Peak level of speech. */
const PEAK = 0.7;

export interface Speech {
  /** 48 kHz, -1 to 1. */
  readonly samples: Float32Array;
  /** Seconds from its beginning. */
  readonly words: readonly SpokenWord[];
}

export interface Speaker {
  /** Voice that was found for the request. */
  readonly voice: string;
  /** @param mostSeconds where it is cut off, between words */
  readonly speak: (text: string, rate: number, mostSeconds: number) => Speech;
}

/**
 * Someone who reads aloud: the named voice of eSpeak NG, else one of the language, else American English.
 *
 * @throws AppError `media_unavailable` without eSpeak NG
 */
export async function openSpeaker(voice: string | null, language: string | null): Promise<Speaker> {
  const open = await mediaPackage('@echogarden/espeak-ng-emscripten');
  const { eSpeakNGWorker: Voice } = await open();
  const synthesizer = new Voice();
  const tag = language?.toLowerCase();
  const names = [voice, ...[tag, tag?.split('-')[0]].map((name) => namedOtherwise[name ?? ''] ?? name), 'en-us'];
  const found = names.find((name) => typeof name === 'string' && isName(name) && synthesizer.set_voice(name) === 0);
  return {
    voice: found ?? 'en-us',
    speak: (text, rate, mostSeconds) => {
      synthesizer.set_rate(Math.round(rate));
      const sourceRate = synthesizer.get_samplerate();
      const chunks: Int16Array[] = [];
      const starts: { position: number; length: number; at: number }[] = [];
      let length = 0;
      synthesizer.synthesize(sayable(text), (samples, events) => {
        for (const { type, text_position, word_length, audio_position } of events) {
          if (type === 'word')
            starts.push({ position: text_position - 1, length: word_length, at: audio_position / 1e3 });
        }
        if (samples) chunks.push(samples);
        length += samples?.length ?? 0;
        return length > mostSeconds * sourceRate;
      });
      const words = wordsOf(text, starts, length / sourceRate);
      const spoken = words.filter(({ to }) => to <= mostSeconds);
      const seconds = spoken.length === words.length ? mostSeconds : (spoken.at(-1)?.to ?? 0);
      return { samples: resample(chunks, sourceRate, seconds), words: spoken };
    },
  };
}

/** Languages whose voice has another name than their tag: under their own it spells signs out. */
const namedOtherwise: Readonly<Record<string, string>> = { zh: 'cmn', 'zh-cn': 'cmn', 'zh-tw': 'cmn', 'zh-hk': 'yue' };

/** A name of a voice is no path. */
function isName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_+-]{0,39}$/i.test(name);
}

/** eSpeak NG takes `<…>`, entities and `[[…]]` for orders: blanks of the same length, so that positions hold. */
function sayable(text: string): string {
  return text.replace(/[<>[\]]|&(?! )/gu, ' ');
}

/**
 * Splits a text into words; positions count code points. A word extends to the next one, so it includes its full stop.
 */
function wordsOf(
  text: string,
  starts: readonly { position: number; length: number; at: number }[],
  end: number,
): SpokenWord[] {
  const written = splitWords(text);
  const characters = Array.from(text);
  const points = characters.length;
  const offsets: number[] = [];
  let offset = 0;
  for (const { text: word, isGlued } of written) {
    if (isGlued !== true) while (characters[offset] === ' ') offset++;
    offsets.push(offset);
    offset += Array.from(word).length;
  }
  // several events may lie in what is written as one word, and a word that is not said has none
  const firsts = offsets.map((from, index) => {
    const until = offsets[index + 1] ?? points + 1;
    return starts.find(({ position }) => position >= from && position < until)?.at;
  });
  let next = end;
  const words: SpokenWord[] = [];
  for (let i = written.length - 1; i >= 0; i--) {
    const from = Math.min(next, firsts[i] ?? next);
    words.unshift({ ...(written[i] as WrittenWord), from, to: next });
    next = from;
  }
  return words;
}

/** To 48 kHz, by the cubic through four samples (Catmull-Rom), at most so many seconds, and at its usual loudness. */
function resample(chunks: readonly Int16Array[], rate: number, mostSeconds: number): Float32Array {
  const source = new Float32Array(chunks.reduce((sum, { length }) => sum + length, 0) + 3);
  let at = 1;
  let peak = 1;
  for (const chunk of chunks) {
    for (const sample of chunk) {
      source[at++] = sample;
      peak = Math.max(peak, Math.abs(sample));
    }
  }
  const seconds = Math.min(mostSeconds, (source.length - 3) / rate);
  const samples = new Float32Array(Math.floor(seconds * SAMPLE_RATE));
  for (let i = 0; i < samples.length; i++) {
    const x = (i * rate) / SAMPLE_RATE;
    const k = Math.floor(x);
    const f = x - k;
    const [a, b, c, d] = [source[k]!, source[k + 1]!, source[k + 2]!, source[k + 3]!];
    const cubic = b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)));
    samples[i] = (cubic / peak) * PEAK;
  }
  return samples;
}
