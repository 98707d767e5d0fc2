import { type Aspect, channelFormats } from './channel-formats.ts';
import { makesFilms, mediumWarnings } from './format-medium.ts';
import { formatTable, type Said } from './format-table.ts';
import { type ReadShapes, readShapes } from './named-shapes.ts';
import type { Channel, Mode } from './words.ts';

/** Shape, size and length of the media to make, read from the texts that name a brief's formats. */
export interface Formats {
  /** In the order in which they were named; at least one. */
  readonly aspects: readonly Aspect[];
  /** Pixels of the short side. */
  readonly resolution: number;
  /** Seconds of a film whose speech does not set its length: the requested length, else the usual one. */
  readonly seconds: number;
  /** Values that the texts name explicitly; null where they leave them open. */
  readonly requested: { readonly resolution: number | null; readonly seconds: number | null };
  /** Parts of formats that say nothing we know. */
  readonly unread: readonly string[];
  /** Parts that were not understood, or are made otherwise than they read, in sentences. */
  readonly warnings: readonly string[];
}

export const DEFAULT_SECONDS = 6;
const DEFAULT_RESOLUTION = 720;
const bounds = { seconds: [1, 120], resolution: [144, 1_080] } as const;

/**
 * Reads formats from texts such as `9:16`, `16:9 1080p mp4`, `1920x1080` or `TikTok 30s`. Values that they leave open
 * come from the channels, then from the usual ones (16:9, 720 pixels, 6 seconds). Length and resolution are kept within
 * 1 to 120 s and 144 to 1080. Every part that is not understood is named.
 *
 * @param ownSeconds a length that the brief itself names, used where no format names one
 * @param mode mode of the brief: its result is compared with what the formats request
 */
export function readFormats(
  targetFormats: readonly string[],
  channels: readonly Channel[],
  ownSeconds: number | null = null,
  mode: Mode = 'video',
): Formats {
  const read = targetFormats.map(readFormat);
  const said = read.flatMap((one) => one.said);
  const named = unique(read.flatMap(({ shapes }) => shapes.aspects));
  const places = unique(
    read.flatMap((one) =>
      // a shape beside a place is the wanted one there
      one.shapes.aspects.length > 0 ? [] : one.said.flatMap(({ place }) => place ?? []),
    ),
  );
  const wanted = unique([...named, ...places]);
  const fromChannels = unique(channels.map((channel) => channelFormats[channel].aspect));
  const resolutions = unique(said.flatMap(({ resolution }) => resolution ?? []));
  const lengths = unique(said.flatMap(({ seconds }) => seconds ?? []));
  const [resolution = null] = resolutions;
  const seconds = lengths[0] ?? ownSeconds;
  const made = {
    resolution: within(resolution ?? DEFAULT_RESOLUTION, bounds.resolution),
    seconds: within(seconds ?? DEFAULT_SECONDS, bounds.seconds),
  };
  const unread = read.flatMap((one) => one.unread);
  return {
    aspects: wanted.length > 0 ? wanted : fromChannels.length > 0 ? fromChannels : ['16:9'],
    ...made,
    requested: { resolution, seconds },
    unread,
    warnings: [
      ...read.flatMap((one) => one.unread.map((part) => leftAside(one.text, part))),
      ...read
        .flatMap((one) => one.said.flatMap(({ warning }) => warning ?? []))
        .map((text) => `targetFormats: ${text}`),
      ...mediumWarnings(said, mode).map((text) => `targetFormats: ${text}`),
      ...(makesFilms(mode) ? read.flatMap(({ shapes }) => shapes.warning ?? []) : []).map(
        (text) => `targetFormats: ${text}`,
      ),
      ...several('resolutions', resolutions, 'p', made.resolution),
      ...several('lengths', lengths, ' s', made.seconds),
      ...otherLength(ownSeconds, lengths, made.seconds),
    ],
  };
}

interface ReadFormat {
  readonly text: string;
  readonly said: readonly Said[];
  readonly shapes: ReadShapes;
  readonly unread: readonly string[];
}

/** Reads a format part by part. */
function readFormat(text: string): ReadFormat {
  const said: Said[] = [];
  const unread: string[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = /[\s,;|+&()[\]/·•–—-]+/uy;
    blank.lastIndex = at;
    if (blank.test(text)) {
      at = blank.lastIndex;
      continue;
    }
    const part = partAt(text, at);
    if (part) {
      said.push(part.said);
      at = part.end;
      continue;
    }
    const [unknown = text.slice(at)] = /^[^\s,;|+&()]+/u.exec(text.slice(at)) ?? [];
    unread.push(unknown);
    at += unknown.length;
  }
  const shapes = readShapes(
    text,
    said.flatMap(({ shape }) => shape ?? []),
  );
  return { text, said, shapes, unread };
}

function partAt(text: string, at: number): { readonly said: Said; readonly end: number } | null {
  for (const [pattern, read] of formatTable) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const said = found && read(found);
    if (found && said) return { said, end: at + found[0].length };
  }
  return null;
}

function leftAside(text: string, part: string): string {
  const where = text === part ? '' : ` in ${JSON.stringify(text)}`;
  return `targetFormats: ${JSON.stringify(part)}${where} names no aspect ratio, resolution, length or place that is known, and was left aside.`;
}

function several(what: string, values: readonly number[], unit: string, made: number): readonly string[] {
  if (values.length < 2) return [];
  return [
    `targetFormats: several ${what} are named (${values.map((value) => `${value}${unit}`).join(', ')}); everything is made with the first: ${made}${unit}.`,
  ];
}

/** The brief's own words name another length than its formats do. */
function otherLength(own: number | null, [first]: readonly number[], made: number): readonly string[] {
  if (own === null || first === undefined || own === first) return [];
  return [
    `targetFormats: ${first} s is named here and ${own} s in the prompt; everything is made with the former: ${made} s.`,
  ];
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function within(value: number, [least, most]: readonly [number, number]): number {
  return Math.min(most, Math.max(least, value));
}
