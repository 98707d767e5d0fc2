import type { Token } from '#src/lib/words/tokens.ts';

const MOST_SECONDS = 300;
const ratios = new Set(['16:9', '9:16', '1:1', '4:5']);
const shapes: Readonly<Record<string, string>> = {
  vertical: '9:16',
  portrait: '9:16',
  square: '1:1',
  widescreen: '16:9',
  landscape: '16:9',
};
export const secondsOf: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  secs: 1,
  second: 1,
  seconds: 1,
  min: 60,
  mins: 60,
  minute: 60,
  minutes: 60,
};
const lines = new Set([480, 720, 1080, 1440, 2160]);
const thousands: Readonly<Record<number, number>> = { 2: 1440, 4: 2160, 8: 4320 };

interface Around {
  readonly thing: number;
  readonly capability: string;
  /** Where the words begin that say what it shows. */
  readonly subjectFrom: number;
  /** Whether these stand in quotes: then what comes after them is about the shape again. */
  readonly isQuoted: boolean;
}

interface Shape {
  readonly aspect?: string;
  readonly seconds?: number;
  readonly resolution?: number;
}

/** Reads shape, length, size and number from the words around a picture, film or sound; only what its kind can have is used. */
export function readShape(
  clause: readonly Token[],
  { thing, capability, subjectFrom, isQuoted }: Around,
): { readonly shape: Shape; readonly used: readonly number[]; readonly count: number | null } {
  const isSeen = capability === 'image.generate' || capability === 'video.generate';
  const isLong = capability !== 'image.generate';
  const used: number[] = [];
  let shape: Shape = {};
  let count: number | null = null;
  for (let place = 0; place < clause.length; place++) {
    const { kind, low, value } = clause[place]!;
    if (kind === 'quote') continue;
    const isBefore = place < subjectFrom || isQuoted;
    const aspect = kind === 'shape' && ratios.has(low) ? low : kind === 'word' && isBefore ? shapes[low] : undefined;
    if (isSeen && aspect !== undefined && shape.aspect === undefined) {
      shape = { ...shape, aspect };
      used.push(place);
    }
    if (kind !== 'number') continue;
    const dash = clause[place + 1]?.low === '-' ? 1 : 0;
    const unit = clause[place + 1 + dash];
    const seconds = value * (secondsOf[unit?.low ?? ''] ?? Number.NaN);
    const resolution = unit?.low === 'p' && lines.has(value) ? value : unit?.low === 'k' ? thousands[value] : undefined;
    if (isLong && seconds > 0 && seconds <= MOST_SECONDS && shape.seconds === undefined) {
      shape = { ...shape, seconds };
      used.push(...places(place, dash));
    } else if (isSeen && resolution !== undefined && unit?.isJoined && shape.resolution === undefined) {
      shape = { ...shape, resolution };
      used.push(...places(place, dash));
    } else if (
      place < thing &&
      count === null &&
      unit !== undefined &&
      secondsOf[unit.low] === undefined &&
      dash === 0 &&
      unit.low !== 'p' &&
      unit.low !== 'k'
    ) {
      count = value;
      used.push(place);
    }
  }
  return { shape, used, count };
}

const places = (place: number, dash: number) => Array.from({ length: 2 + dash }, (_, n) => place + n);
