import type { Shock, Unread } from './shock.ts';
import {
  bpWords,
  downWords,
  functionWords,
  levelWords,
  multiples,
  notWords,
  percentWords,
  perMilleWords,
  pointWords,
  shockFillers,
  sigmaWords,
  spotWords,
  upWords,
  volWords,
} from './shock-words.ts';
import type { Token } from './tokens.ts';

/** A shock that was read from a segment of a phrase. */
export interface ShockPart {
  /** One scenario's part each; two for "up or down 5%". */
  readonly fields: readonly Shock[];
  readonly isVol: boolean;
  readonly direction: -1 | 1 | 0;
  readonly places: readonly number[];
  readonly notes: readonly string[];
}

interface Segment {
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly to: number;
  /** Places that are read already. */
  readonly skip: ReadonlySet<number>;
  /** The shock before, whose direction goes on in a list: "down 3% or 5%". */
  readonly carried: ShockPart | null;
}

type Unit = 'percent' | 'per mille' | 'bp' | 'points' | 'vol points' | 'sigma' | 'none';

/** Reads the one shock of a segment; why it cannot be run; or null where the segment has none. */
export function readShockAt(segment: Segment): ShockPart | Unread | null {
  const { tokens, from, to, skip } = segment;
  const sized: number[] = [];
  for (let place = from; place < to; place++) {
    const token = tokens[place]!;
    if (!skip.has(place) && ((token.kind === 'number' && !isName(tokens, place)) || multiples.has(token.low)))
      sized.push(place);
  }
  const [place] = sized;
  if (place === undefined) return null;
  const window = windowAt(segment, place);
  const words = window.places.map((one) => tokens[one]!);
  const hasDirection = words.some(({ low }) => downWords.has(low) || upWords.has(low));
  const unit = unitAt(tokens, place, to);
  const token = tokens[place]!;
  const isLevel =
    tokens[place - 1]?.low === 'to' &&
    place - 2 >= from &&
    (tokens[place - 2]!.kind === 'symbol' || spotWords.has(tokens[place - 2]!.low));
  const isShock =
    isLevel || multiples.has(token.low) || token.sign !== '' || hasDirection || (unit !== 'none' && unit !== 'points');
  const carries = segment.carried !== null && isContinuation(segment, place);
  if (!isShock && !carries) return null;
  const denial = tokens.slice(from, to).find(({ low }) => notWords.has(low));
  const refuse = (why: string): Unread => ({ from: window.places[0]!, to: window.places.at(-1)!, why });
  if (sized.length > 1)
    return {
      from: Math.min(...sized, window.places[0]!),
      to: Math.max(...sized),
      why: 'it has more than one size: give each shock on its own',
    };
  if (denial) return refuse(`“${denial.text}” is before it`);
  if (window.foreign !== null)
    return refuse(`what moves is “${window.foreign}”, and only spot and volatility can be shocked`);
  return partOf({ ...segment, carried: carries ? segment.carried : null }, window.places, place, unit, refuse);
}

function partOf(
  { tokens, carried }: Segment,
  places: readonly number[],
  place: number,
  unit: Unit,
  refuse: (why: string) => Unread,
): ShockPart | Unread {
  const words = places.map((one) => tokens[one]!);
  const token = tokens[place]!;
  const isSubjectBefore = places.some((one) => one < place && isSubject(tokens[one]!));
  const isOwnVol = unit === 'vol points' || words.some(({ low }) => volWords.has(low));
  const times = multiples.get(token.low);
  // "vol doubles or triples": what triples is what doubled
  const isVol = isOwnVol || (times !== undefined && !isSubjectBefore && carried?.isVol === true);
  const notes: string[] = [];
  const done = (direction: -1 | 0 | 1, ...fields: Shock[]): ShockPart => ({ fields, isVol, direction, places, notes });
  if (times !== undefined) {
    if (isVol || words.some((one) => spotWords.has(one.low) || one.kind === 'symbol'))
      return done(times > 0 ? 1 : -1, isVol ? { vol_shock_pct: times } : { spot_shock_pct: times });
    return refuse('it does not say whether spot or volatility is meant');
  }
  if (Number.isNaN(token.value)) return refuse('its number can be read in two ways: write 2.5 or 2500');
  const isMoney = /[$€£]/.test(token.text) || ['$', '€', '£'].includes(tokens[place + 1]?.low ?? '');
  if (isMoney && !isLevelAt(tokens, place, token))
    return refuse('an amount of money is no size of a move: give percent or points');
  if (unit === 'sigma') return refuse('how far that is depends on a volatility and a time: give percent');
  const isLevel = isLevelAt(tokens, place, token) && unit !== 'bp';
  const ways = directionsOf(words, token);
  if (ways === 'both') {
    if (isLevel) return refuse('a level has one side');
    const sizes = [sizeOf(1, token.value, unit, isVol, notes), sizeOf(-1, token.value, unit, isVol, notes)];
    return done(0, ...sizes.filter((one): one is Shock => typeof one !== 'string'));
  }
  const hasSubject = words.some(({ kind, low }) => kind === 'symbol' || spotWords.has(low));
  if (isLevel && (ways !== 0 || (hasSubject && unit !== 'percent'))) {
    if (isVol) return refuse('a level of volatility cannot be run: give its change in percent or vol points');
    if (unit === 'percent') return refuse('it is not clear whether that is a level or a change');
    if (words.filter(({ kind }) => kind === 'symbol').length > 1)
      return refuse('one level cannot be that of several underlyings');
    return done(ways, { spot_level: token.value, ...(ways !== 0 && { spot_side: ways < 0 ? 'down' : 'up' }) });
  }
  const isSameKind = carried !== null && carried.isVol === isVol;
  const direction = ways === 0 && isSameKind && !isVol ? carried.direction : ways;
  if (direction === 0) return refuse('it does not say whether that is up or down');
  const isHalf = token.low === 'half' && unit === 'none';
  const size = isHalf
    ? sizeOf(direction, 50, 'percent', isVol, notes)
    : sizeOf(direction, token.value, unit, isVol, notes);
  return typeof size === 'string' ? refuse(size) : done(direction, size);
}

/** Number of a unit that make a percent. */
const inAPercent: Readonly<Partial<Record<Unit, number>>> = { bp: 100, 'per mille': 10 };

/** The field of a size; or why there is none. */
function sizeOf(direction: -1 | 1, value: number, unit: Unit, isVol: boolean, notes: string[]): Shock | string {
  if (unit === 'vol points' || (unit === 'points' && isVol)) return { vol_points: direction * value };
  if (unit === 'points') return { spot_points: direction * value };
  const percent = (direction * value) / (inAPercent[unit] ?? 1);
  if (percent <= -100 || percent > 1000) return `a shock of ${percent} % is outside -100 to 1000`;
  if (unit === 'none') notes.push(`${value} without a unit was taken as percent${isVol ? ' of volatility' : ''}`);
  return isVol ? { vol_shock_pct: percent } : { spot_shock_pct: percent };
}

function directionsOf(words: readonly Token[], number: Token): -1 | 0 | 1 | 'both' {
  if (number.sign === '±') return 'both';
  const downs = words.some(({ low }) => downWords.has(low));
  const ups = words.some(({ low }) => upWords.has(low));
  if (downs && ups) return 'both';
  if (number.sign !== '') return number.sign === '-' ? -1 : 1;
  if (!downs && !ups) return 0;
  return downs ? -1 : 1;
}

/** The words around a number that belong to its shock, and the foreign word that is its subject, if there is one. */
function windowAt({ tokens, from, to, skip }: Segment, place: number): { places: number[]; foreign: string | null } {
  let first = place;
  while (first > from && !skip.has(first - 1) && belongs(tokens[first - 1]!)) first--;
  let last = place;
  while (last + 1 < to && !skip.has(last + 1) && (belongs(tokens[last + 1]!) || isUnit(tokens[last + 1]!))) last++;
  const places = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  // "rates rise 50 bps on SPX": the words before the move name what moves
  const hasSubject = places.some((one) => one < place && isSubject(tokens[one]!));
  const left = first > from && !skip.has(first - 1) ? tokens[first - 1]! : null;
  const right = last + 1 < to && !skip.has(last + 1) ? tokens[last + 1]! : null;
  const opens = ['a', 'an', 'at', 'by', 'on', 'for', 'of', 'to', 'another'].includes(tokens[first]?.low ?? '');
  if (left && !hasSubject && !opens && isContent(left)) return { places, foreign: left.text };
  const tail = tokens[last]?.low ?? '';
  const hasDirection = directionBefore(tokens, first, last + 1) || tokens[place]?.sign !== '';
  const isOpen =
    last === place || (isUnit(tokens[last]!) && !directionBefore(tokens, first, place) && tokens[place]?.sign === '');
  const asksFor = !hasDirection || ['in', 'of', 'on'].includes(tail) || isOpen;
  if (right && asksFor && isContent(right)) return { places, foreign: right.text };
  // prepositions at its end belong to what comes after
  while (last > place && isBeside(tokens[last]!)) last--;
  return { places: places.slice(0, last - first + 1), foreign: null };
}

function isBeside({ low, kind }: Token): boolean {
  const isShock =
    downWords.has(low) || upWords.has(low) || spotWords.has(low) || volWords.has(low) || kind === 'symbol';
  return !isShock && (shockFillers.has(low) || levelWords.has(low));
}

function directionBefore(tokens: readonly Token[], first: number, place: number): boolean {
  return tokens.slice(first, place).some(({ low }) => downWords.has(low) || upWords.has(low));
}

function belongs(token: Token): boolean {
  const { low, kind } = token;
  return (
    isSubject(token) ||
    isUnit(token) ||
    downWords.has(low) ||
    upWords.has(low) ||
    shockFillers.has(low) ||
    levelWords.has(low) ||
    (low === '-' && token.isJoined) ||
    (['or', 'and', '/'].includes(low) && kind !== 'number')
  );
}

export function isSubject({ kind, low }: Token): boolean {
  return kind === 'symbol' || spotWords.has(low) || volWords.has(low);
}

function isUnit({ low }: Token): boolean {
  return (
    percentWords.has(low) ||
    pointWords.has(low) ||
    bpWords.has(low) ||
    perMilleWords.has(low) ||
    sigmaWords.has(low) ||
    low === 'basis' ||
    low === 'standard' ||
    low === 'deviation' ||
    low === 'deviations' ||
    low === 'per' ||
    low === 'mille' ||
    low === 'cent'
  );
}

function isContent({ kind, low }: Token): boolean {
  return kind === 'word' && !functionWords.has(low);
}

/** "generation 2", "0DTE", "9am", "30-day": numbers that name something. */
function isName(tokens: readonly Token[], place: number): boolean {
  const before = tokens[place - 1]?.low ?? '';
  if (before === 'gen' || before === 'generation') return true;
  const dash = tokens[place + 1]?.low === '-' ? 1 : 0;
  const after = tokens[place + 1 + dash];
  return (
    after !== undefined &&
    /^(?:dte|days?|sessions?|weeks?|months?|years?|minutes?|mins?|hours?|strikes?|am|pm|st|nd|rd|th|deltas?)$/.test(
      after.low,
    )
  );
}

const isLevelAt = (tokens: readonly Token[], place: number, { sign }: Token) =>
  levelWords.has(levelBefore(tokens, place)) && sign === '';

function levelBefore(tokens: readonly Token[], place: number): string {
  return tokens[place - 1]?.low ?? '';
}

function unitAt(tokens: readonly Token[], place: number, to: number): Unit {
  const dash = tokens[place + 1]?.low === '-' ? 1 : 0;
  const low = (n: number) => (place + n + dash < to ? (tokens[place + n + dash]?.low ?? '') : '');
  const [one, two] = [low(1), low(2)];
  if (percentWords.has(one)) return two === 'point' || two === 'points' ? 'points' : 'percent';
  if (one === 'per' && two === 'cent') return 'percent';
  if (one === 'a' && two === 'percent') return 'percent';
  if (perMilleWords.has(one) || (one === 'per' && two === 'mille')) return 'per mille';
  if (bpWords.has(one) || (one === 'basis' && pointWords.has(two))) return 'bp';
  // "a 10 vol spike" is points in the trade, as "vol +10 %" is not
  if (one === 'vol' || one === 'vols' || (volWords.has(one) && pointWords.has(two))) return 'vol points';
  if (pointWords.has(one)) return 'points';
  if (sigmaWords.has(one) || (one === 'standard' && two.startsWith('deviation'))) return 'sigma';
  return 'none';
}

/** Beside a size or a symbol that goes on a list. */
export const continuers = new Set([
  'a',
  'an',
  'the',
  'by',
  'of',
  'for',
  'on',
  'in',
  '-',
  'also',
  'even',
  'too',
  'as',
  'well',
]);

/** Checks whether a segment is a size alone, with what it is of: "3%" after "down 2% or", not "dividends at 2%". */
function isContinuation({ tokens, from, to, skip }: Segment, place: number): boolean {
  const isBare = tokens
    .slice(from, to)
    .every(
      (token, n) =>
        from + n === place || skip.has(from + n) || isUnit(token) || isSubject(token) || continuers.has(token.low),
    );
  return isBare && (multiples.has(tokens[place]!.low) || unitAt(tokens, place, to) !== 'none' || place === to - 1);
}
