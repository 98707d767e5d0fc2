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
/** After "90s": then it is a time to look like, not a length. */
export const eraWords = new Set(
  'style styled look looking vibe aesthetic era retro vintage inspired themed feel nostalgia'.split(' '),
);
/** After a number: what it counts is no picture, film or sound. */
export const otherUnits = new Set(
  'h hr hrs hour hours day days week weeks year years dollar dollars usd euro euros eur pound pounds cent cents buck bucks % percent mb gb fps hz p k'.split(
    ' ',
  ),
);
const pairWords = new Set(['couple', 'pair']);
/** How often the same is made. */
export const copyWords = new Set(
  'version versions copy copies variant variants variation variations take takes'.split(' '),
);
/** Before a number: then it is a bound, and how many are wanted is open. */
export const bounds = new Set(
  'most least to than about around roughly approximately minimum maximum over under'.split(' '),
);
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
    if (place < thing && count === null && pairWords.has(low) && clause[place + 1]?.low === 'of') {
      count = 2;
      used.push(place);
      continue;
    }
    const isBefore = place < subjectFrom || isQuoted;
    const aspect = kind === 'shape' && ratios.has(low) ? low : kind === 'word' && isBefore ? shapes[low] : undefined;
    if (isSeen && aspect !== undefined && shape.aspect === undefined) {
      shape = { ...shape, aspect };
      used.push(place);
    }
    if (kind !== 'number') continue;
    const dash = clause[place + 1]?.low === '-' ? 1 : 0;
    const unit = clause[place + 1 + dash];
    const isEra = unit?.low === 's' && unit.isJoined && eraWords.has(clause[place + 2]?.low ?? '');
    // "90s music" is as likely that of a decade
    const isDecade =
      unit?.low === 's' && unit.isJoined && capability === 'music.generate' && value >= 50 && value % 10 === 0;
    if (isEra || isDecade) continue;
    const seconds = value * (secondsOf[unit?.low ?? ''] ?? Number.NaN);
    const resolution = unit?.low === 'p' && lines.has(value) ? value : unit?.low === 'k' ? thousands[value] : undefined;
    // "at least 20 seconds", "15-20 seconds"
    const isBounded = bounds.has(clause[place - 1]?.low ?? '') || isRange(clause, place);
    if (isBounded && seconds > 0) continue;
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
      !otherUnits.has(unit.low) &&
      !bounds.has(clause[place - 1]?.low ?? '') &&
      !['or', 'to', 'and'].includes(unit.low) &&
      (value === 1 || isPlural(clause[thing]!.low) || copyWords.has(unit.low))
    ) {
      count = value;
      used.push(place, ...(copyWords.has(unit.low) ? [place + 1] : []));
    }
  }
  return { shape, used, count };
}

function isRange(clause: readonly Token[], place: number): boolean {
  const [before, dash] = [clause[place - 2], clause[place - 1]];
  return before?.kind === 'number' && ['-', '–', 'to', 'or'].includes(dash?.low ?? '');
}

/** "2 posters" counts them; "2 hour poster" does not. */
const isPlural = (low: string) => low.endsWith('s') || low === 'music' || low === 'artwork';

const places = (place: number, dash: number) => Array.from({ length: 2 + dash }, (_, n) => place + n);
