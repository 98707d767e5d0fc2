import { type ChannelFormat, channelFormats } from './channel-formats.ts';
import type { Channel } from './words.ts';

export type Aspect = ChannelFormat['aspect'];

/** What is to be made, read from the texts that a brief names its formats by. */
export interface Formats {
  /** In the order in which they were named; at least one. */
  readonly aspects: readonly Aspect[];
  /** Pixels of the short side. */
  readonly resolution: number;
  readonly seconds: number;
  /** Formats that say nothing we know. */
  readonly unread: readonly string[];
}

const DEFAULT_SECONDS = 6;
const DEFAULT_RESOLUTION = 720;
const bounds = { seconds: [1, 120], resolution: [144, 1_080] } as const;

const words: readonly (readonly [RegExp, Aspect])[] = [
  [/(?<!\d)16\s*[:x/]\s*9(?!\d)|\b(landscape|widescreen)\b/i, '16:9'],
  [/(?<!\d)9\s*[:x/]\s*16(?!\d)|\b(vertical|story|stories|shorts?|reels?)\b/i, '9:16'],
  [/(?<!\d)1\s*[:x/]\s*1(?!\d)|\bsquare\b/i, '1:1'],
  [/(?<!\d)4\s*[:x/]\s*5(?!\d)|\bportrait\b/i, '4:5'],
];

/**
 * Formats from texts such as `9:16`, `16:9 1080p mp4` or `vertical 15s`; what they leave open comes from the channels, then
 * from what is usual (16:9, 720 pixels, 6 seconds). Length and resolution are kept within 1 to 120 s and 144 to 1080.
 */
export function readFormats(targetFormats: readonly string[], channels: readonly Channel[]): Formats {
  const read = targetFormats.map((text) => ({
    text,
    aspects: words.filter(([pattern]) => pattern.test(text)).map(([, aspect]) => aspect),
    seconds: numberIn(text, /(\d{1,4}(?:\.\d)?)\s*(?:s|sec|secs|seconds?)\b/i),
    resolution: numberIn(text, /\b(\d{3,4})p\b/i) ?? (/\b4k\b/i.test(text) ? 2_160 : null),
  }));
  const named = [...new Set(read.flatMap(({ aspects }) => aspects))];
  const fromChannels = [...new Set(channels.map((channel) => channelFormats[channel].aspect))];
  const [first] = [...named, ...fromChannels];
  return {
    aspects: named.length > 0 ? named : first ? fromChannels : ['16:9'],
    resolution: within(first_(read, 'resolution') ?? DEFAULT_RESOLUTION, bounds.resolution),
    seconds: within(first_(read, 'seconds') ?? DEFAULT_SECONDS, bounds.seconds),
    unread: read
      .filter(
        ({ text, ...one }) =>
          one.aspects.length === 0 && one.seconds === null && one.resolution === null && !isContainer(text),
      )
      .map(({ text }) => text),
  };
}

function first_(
  read: readonly { readonly seconds: number | null; readonly resolution: number | null }[],
  name: 'seconds' | 'resolution',
) {
  return read.map((one) => one[name]).find((value) => value !== null);
}

function numberIn(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

function within(value: number, [least, most]: readonly [number, number]): number {
  return Math.min(most, Math.max(least, value));
}

/** `mp4` and its like ask for nothing that is not made anyway. */
function isContainer(text: string): boolean {
  return /^\s*(mp4|h\.?264|png|wav|video|image|audio)\s*$/i.test(text);
}
