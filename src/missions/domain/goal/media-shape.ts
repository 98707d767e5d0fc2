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
/** Words that may follow a length where it is one: "20 seconds long". */
const afterLength = new Set(
  'long in at and with for each length duration runtime total vertical portrait square widescreen landscape as on'.split(
    ' ',
  ),
);
const pairWords = new Set(['couple', 'pair']);
/** Words for repetitions of the same thing. */
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
  /** Place where the words of the subject begin. */
  readonly subjectFrom: number;
  /** True where these are in quotes: then what comes after them is about the shape again. */
  readonly isQuoted: boolean;
}

interface Shape {
  readonly aspect?: string;
  readonly seconds?: number;
  readonly resolution?: number;
}

/** One thing that the words say of the shape, with the places of its words. */
interface Said<Value = string | number> {
  readonly value: Value;
  readonly places: readonly number[];
}

/** Sides of a shape, each with its name for a sentence where two of a kind are said. */
const sides = [
  ['aspect', 'shapes'],
  ['seconds', 'lengths in seconds'],
  ['resolution', 'sizes in lines'],
] as const;

/**
 * Reads shape, length, size and number from the words around a picture, film or sound; only what its kind can have is
 * used. Where two lengths, sizes or shapes are said, it is not clear which is meant: `conflict` names them.
 */
export function readShape(
  clause: readonly Token[],
  around: Around,
): {
  readonly shape: Shape;
  readonly used: readonly number[];
  readonly count: number | null;
  readonly conflict: string | null;
} {
  const all = {
    aspect: clause.flatMap((_, place) => aspectAt(clause, place, around) ?? []),
    seconds: clause.flatMap((_, place) => lengthAt(clause, place, around) ?? []),
    resolution: clause.flatMap((_, place) => sizeAt(clause, place, around) ?? []),
  };
  let shape: Shape = {};
  const used: number[] = [];
  for (const [side, called] of sides) {
    const values = [...new Set<string | number>(all[side].map(({ value }) => value))];
    if (values.length > 1)
      return {
        shape,
        used,
        count: null,
        conflict: `it names ${values.length} ${called} (${values.join(', ')}): name each that is to be made with its own`,
      };
    if (values.length === 0) continue;
    shape = { ...shape, [side]: values[0] };
    used.push(...all[side].flatMap(({ places }) => places));
  }
  const count = countIn(clause, around);
  return { shape, used: [...used, ...(count?.places ?? [])], count: count?.value ?? null, conflict: null };
}

const isSeen = (capability: string) => capability === 'image.generate' || capability === 'video.generate';

function aspectAt(clause: readonly Token[], place: number, around: Around): Said<string> | null {
  if (!isSeen(around.capability)) return null;
  const { kind, low } = clause[place]!;
  if (kind === 'shape' && ratios.has(low)) return { value: low, places: [place] };
  const isBefore = place < around.subjectFrom || around.isQuoted;
  const aspect = kind === 'word' && isBefore ? shapes[low] : undefined;
  return aspect === undefined ? null : { value: aspect, places: [place] };
}

function lengthAt(clause: readonly Token[], place: number, around: Around): Said<number> | null {
  const { kind, value } = clause[place]!;
  if (kind !== 'number' || around.capability === 'image.generate' || isTimeToLookLike(clause, place, around))
    return null;
  const { dash, unit } = unitAfter(clause, place);
  const more = restOfMinute(clause, place, dash);
  const seconds = value * (secondsOf[unit?.low ?? ''] ?? Number.NaN) + more.seconds;
  // "at least 20 seconds", "15-20 seconds"
  const isBounded = bounds.has(clause[place - 1]?.low ?? '') || isRange(clause, place);
  if (!(seconds > 0) || seconds > MOST_SECONDS || isBounded) return null;
  // said with the minutes before it
  if (place >= 2 && restOfMinute(clause, place - 2, 0).seconds > 0) return null;
  const next = place + dash + 2 + more.tokens;
  if (isPartOfSubject(clause, next, around)) return null;
  const each = clause[next]?.low === 'each' ? [next] : [];
  return { value: seconds, places: [...places(place, dash + more.tokens), ...each] };
}

/** "1 minute 30 seconds": the seconds after the minutes that begin at a place. */
function restOfMinute(clause: readonly Token[], place: number, dash: number): { seconds: number; tokens: number } {
  const [minutes, rest, unit] = clause.slice(place + dash + 1, place + dash + 4);
  const isRest = secondsOf[minutes?.low ?? ''] === 60 && rest?.kind === 'number' && secondsOf[unit?.low ?? ''] === 1;
  return isRest && clause[place]?.kind === 'number' ? { seconds: rest.value, tokens: 2 } : { seconds: 0, tokens: 0 };
}

/** Checks whether there is a number of seconds or minutes at a place. */
export function isLength(clause: readonly Token[], place: number): boolean {
  return clause[place]?.kind === 'number' && secondsOf[unitAfter(clause, place).unit?.low ?? ''] !== undefined;
}

/** Checks whether the word after a length makes it a part of the subject: "the 10 second rule". */
function isPartOfSubject(clause: readonly Token[], next: number, { subjectFrom, isQuoted }: Around): boolean {
  const after = clause[next];
  if (next <= subjectFrom || isQuoted || after === undefined || after.kind !== 'word') return false;
  return !afterLength.has(after.low);
}

function sizeAt(clause: readonly Token[], place: number, around: Around): Said<number> | null {
  const { kind, value } = clause[place]!;
  if (kind !== 'number' || !isSeen(around.capability)) return null;
  const { dash, unit } = unitAfter(clause, place);
  const resolution = unit?.low === 'p' && lines.has(value) ? value : unit?.low === 'k' ? thousands[value] : undefined;
  return resolution === undefined || !unit?.isJoined ? null : { value: resolution, places: places(place, dash) };
}

/** Reads the number of things, which is said before the thing. */
function countIn(clause: readonly Token[], around: Around): Said<number> | null {
  for (let place = 0; place < around.thing; place++) {
    const { kind, low, value } = clause[place]!;
    const next = clause[place + 1];
    if (pairWords.has(low) && next?.low === 'of') return { value: 2, places: [place] };
    if (kind !== 'number' || next === undefined || next.low === '-' || isTimeToLookLike(clause, place, around))
      continue;
    if (secondsOf[next.low] !== undefined || otherUnits.has(next.low) || bounds.has(clause[place - 1]?.low ?? ''))
      continue;
    const isOfMany = value === 1 || isPlural(clause[around.thing]!.low) || copyWords.has(next.low);
    if (['or', 'to', 'and'].includes(next.low) || !isOfMany) continue;
    return { value, places: [place, ...(copyWords.has(next.low) ? [place + 1] : [])] };
  }
  return null;
}

/** "90s style"; "90s music" is as likely that of a decade. */
function isTimeToLookLike(clause: readonly Token[], place: number, { capability }: Around): boolean {
  const { unit } = unitAfter(clause, place);
  if (unit?.low !== 's' || !unit.isJoined) return false;
  const { value } = clause[place]!;
  return (
    eraWords.has(clause[place + 2]?.low ?? '') || (capability === 'music.generate' && value >= 50 && value % 10 === 0)
  );
}

function unitAfter(
  clause: readonly Token[],
  place: number,
): { readonly dash: 0 | 1; readonly unit: Token | undefined } {
  const dash = clause[place + 1]?.low === '-' ? 1 : 0;
  return { dash, unit: clause[place + 1 + dash] };
}

function isRange(clause: readonly Token[], place: number): boolean {
  const [before, dash] = [clause[place - 2], clause[place - 1]];
  return before?.kind === 'number' && ['-', '–', 'to', 'or'].includes(dash?.low ?? '');
}

/** "2 posters" counts them; "2 hour poster" does not. */
const isPlural = (low: string) => low.endsWith('s') || low === 'music' || low === 'artwork';

const places = (place: number, more: number) => Array.from({ length: 2 + more }, (_, n) => place + n);

/** Returns the end of the subject's words when words for its shape after them are left off: "a dog, 10 s each". */
export function beforeShape(clause: readonly Token[], from: number, to: number, shaped: readonly number[]): number {
  let end = to;
  while (end > from && (shaped.includes(end - 1) || leadsToShape(clause[end - 1]!))) end--;
  return shaped.some((place) => place >= end && place < to) ? Math.max(end, from) : to;
}

function leadsToShape({ kind, low }: Token): boolean {
  return kind === 'mark' || ['long', 'duration', 'length', 'runtime', 'total', 'in', 'at', 'for', 'and'].includes(low);
}
