import { readHorizons } from './shock-horizon.ts';
import { continuers, isSubject, readShockAt, type ShockPart } from './shock-window.ts';
import {
  downWords,
  functionWords,
  scenarioNouns,
  segmentEnds,
  shockFillers,
  shockNouns,
  upWords,
  volWords,
} from './shock-words.ts';
import type { Token } from './tokens.ts';

/** Shocks that happen together. What is given in points or as a level becomes percent once spot and volatility are known. */
export interface Shock {
  /** Change of spot, percent. */
  spot_shock_pct?: number;
  /** Change of spot, points. */
  spot_points?: number;
  /** Spot after the shock, points. */
  spot_level?: number;
  /** Where the level must lie from the spot of now. */
  spot_side?: 'down' | 'up';
  /** Relative change of every volatility, percent. */
  vol_shock_pct?: number;
  /** Change of the volatility at the money, vol points. */
  vol_points?: number;
  /** Calendar days that pass. */
  days?: number;
}

/** What is stressed where nothing is said of it. */
export const defaultShocks: readonly Pick<Shock, 'spot_shock_pct'>[] = [-5, -2, 2, 5].map((spot_shock_pct) => ({
  spot_shock_pct,
}));

/** The shocks of some underlyings. */
export interface ShockGroup {
  /** Those that are named with them; none where the phrase names none. */
  readonly symbols: readonly string[];
  readonly scenarios: readonly Shock[];
}

/** Words that look like a shock and cannot be run, by their places among the tokens. */
export interface Unread {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
  /** The reason, to follow the words. */
  readonly why: string;
}

export interface ShocksRead {
  readonly groups: readonly ShockGroup[];
  /** Places of the tokens that the shocks were read from. */
  readonly used: ReadonlySet<number>;
  readonly unread: readonly Unread[];
  /** What was assumed, a sentence each. */
  readonly notes: readonly string[];
}

interface Group {
  symbols: string[];
  scenarios: Shock[];
  /** Of the tokens that name its symbols. */
  readonly places: number[];
}

const spotFields = ['spot_shock_pct', 'spot_points', 'spot_level'] as const;
const volFields = ['vol_shock_pct', 'vol_points'] as const;

/**
 * Reads the shocks of a phrase such as "SPX and QQQ: down five percent, vol up 15 points, over 3 days". Every number beside
 * a direction is either part of a shock or named as unread with a reason: none is dropped, and none is guessed. A number
 * without a unit is percent, which a note says. A new shock of spot opens a new scenario; one of volatility joins the
 * scenario before it.
 */
export function readShocks(tokens: readonly Token[]): ShocksRead {
  const horizons = readHorizons(tokens);
  const skip = new Set(horizons.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n)));
  const used = new Set<number>();
  const notes: string[] = [];
  const unread: Unread[] = [];
  const groups: Group[] = [];
  const isSeveral = new Set(tokens.flatMap(({ symbol }) => symbol ?? [])).size > 1;
  const silent: Segment[] = [];
  let carried: ShockPart | null = null;
  let link = '';
  for (const segment of segmentsOf(tokens)) {
    const { from, to, end } = segment;
    const read = readShockAt({ tokens, from, to, skip, carried });
    const part = read && !('why' in read) ? read : null;
    if (read && 'why' in read) unread.push(read);
    if (read === null) silent.push(segment);
    const symbols = symbolsOf(tokens, segment);
    const meant = isSeveral ? symbols.filter((place) => isMeant(tokens, segment, place, part, groups, link)) : symbols;
    for (const place of symbols) if (!meant.includes(place)) unread.push({ from: place, to: place, why: NOT_SHOCKED });
    const named = meant.flatMap((place) => tokens[place]!.symbol ?? []);
    const apart = part && apartLinks.has(link) ? bareGroup(groups, named) : null;
    if (apart) {
      unread.push(...apart.places.map((place) => ({ from: place, to: place, why: NOT_SHOCKED })));
      groups.pop();
    }
    const group = groupFor(groups, named, part);
    group.places.push(...meant);
    const fault = part && addPart(group, part, link);
    if (part && fault === null) {
      for (const place of part.places) if (tokens[place]!.symbol === null) used.add(place);
      // "3% or 5%": each is a scenario
      if (carried) used.add(from - 1);
      notes.push(...part.notes);
      const strange = besideShock(tokens, segment, part, skip);
      if (strange !== null)
        unread.push({ from: strange, to: strange, why: 'it is not clear what it says of the shock' });
      carried = part;
    } else if (fault) unread.push({ from, to: to - 1, why: fault });
    // of several horizons each belongs to the shock that it stands with
    if (horizons.length > 1)
      for (const { days } of horizons.filter((one) => one.from >= from && one.from <= to))
        setDays([group], days, false);
    link = end;
  }
  const [only] = horizons;
  if (only && horizons.length === 1) setDays(groups, only.days, true);
  const found = mergeBare(groups);
  if (found.some(({ scenarios }) => scenarios.length > 0)) {
    const nouns = nounsOf(tokens);
    for (const place of [...skip, ...nouns, ...groups.flatMap(({ places }) => places)]) used.add(place);
    for (const segment of silent) {
      const open = sizeless(tokens, segment, nouns);
      if (open) unread.push(open);
    }
    notes.push(...horizons.flatMap(({ note }) => note ?? []));
  }
  return { groups: found, used, unread, notes: [...new Set(notes)] };
}

const NOT_SHOCKED = 'it is not said what happens to it';
/** After one of these comes what happens, not another underlying that it happens to: "SPX if QQQ falls 5%". */
const apartLinks = new Set('if when while with but versus vs whereas after as'.split(' '));
/** Words that part an underlying from the shock beside them: "5% less than QQQ". */
const partingWords = new Set('not no without against like until because cause causes'.split(' '));
const questionWords = new Set('what how who where why which does do did'.split(' '));

/** The group before, where it names underlyings that nothing happens to, and others than these. */
function bareGroup(groups: readonly Group[], named: readonly string[]): Group | null {
  const last = groups.at(-1);
  const isBare = last !== undefined && last.scenarios.length === 0 && last.symbols.length > 0;
  return isBare && named.length > 0 && !named.every((symbol) => last.symbols.includes(symbol)) ? last : null;
}

/** Whether a shock is said of the symbol of a place, where a phrase names several. */
function isMeant(
  tokens: readonly Token[],
  { from, to }: Segment,
  place: number,
  part: ShockPart | null,
  groups: readonly Group[],
  link: string,
): boolean {
  const [first, last] = part ? [part.places[0]!, part.places.at(-1)!] : [place, place];
  const [start, end] = [Math.min(first, place), Math.max(last, place)];
  if (part) return tokens.slice(start, end + 1).every((token, n) => part.places.includes(start + n) || isPlain(token));
  // after a shock, a list alone goes on: "SPX down 5%, QQQ", not "SPX down 5%, what happens to QQQ"
  const isAfter = groups.some(({ scenarios }) => scenarios.length > 0);
  if (isAfter && apartLinks.has(link)) return false;
  return tokens
    .slice(from, to)
    .every((token) => (isAfter ? token.kind === 'symbol' || continuers.has(token.low) : isPlain(token)));
}

function isPlain(token: Token): boolean {
  const { low, kind } = token;
  if (partingWords.has(low)) return false;
  return (
    isSubject(token) ||
    kind === 'mark' ||
    shockFillers.has(low) ||
    functionWords.has(low) ||
    shockNouns.has(low) ||
    scenarioNouns.has(low)
  );
}

/** The word right after a shock, where it may say more of it: "5% annualised". */
function besideShock(
  tokens: readonly Token[],
  { to }: Segment,
  { places }: ShockPart,
  skip: ReadonlySet<number>,
): number | null {
  const next = places.at(-1)! + 1;
  const token = tokens[next];
  if (next >= to || skip.has(next) || token?.kind !== 'word') return null;
  return isPlain(token) ? null : next;
}

/** What moves in a segment without a size, such as "vol up"; null where nothing does, or where it asks. */
function sizeless(tokens: readonly Token[], { from, to }: Segment, nouns: readonly number[]): Unread | null {
  const words = tokens.slice(from, to);
  if (words.some(({ low }) => questionWords.has(low))) return null;
  const moves = words.some((token, n) => (isDirection(token) && !nouns.includes(from + n)) || volWords.has(token.low));
  if (!moves) return null;
  const first = words.findIndex((token) => isSubject(token) || isDirection(token));
  return { from: from + first, to: to - 1, why: 'it says no size' };
}

/** Lets days pass with every shock, or with the last. */
function setDays(groups: readonly Group[], days: number, isAll: boolean): void {
  for (const { scenarios } of groups) for (const shock of isAll ? scenarios : scenarios.slice(-1)) shock.days = days;
}

const symbolsOf = (tokens: readonly Token[], { from, to }: Segment) =>
  tokens.slice(from, to).flatMap(({ symbol }, n) => (symbol === null ? [] : [from + n]));

interface Segment {
  readonly from: number;
  /** Place of the mark or word that ends it. */
  readonly to: number;
  readonly end: string;
}

/** Parts of a phrase between the marks and words that end a shock. */
function segmentsOf(tokens: readonly Token[]): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  let isRange = false;
  for (const [place, { low, kind }] of tokens.entries()) {
    isRange ||= low === 'between';
    // "between 3% and 5%" has two sizes
    if (isRange && low === 'and') {
      isRange = false;
      continue;
    }
    const ends = (kind === 'mark' && low !== '-' && low !== "'") || (kind === 'word' && segmentEnds.has(low));
    if (!ends || isEitherWay(tokens, place) || (low === 'plus' && isNumber(tokens[place + 1]))) continue;
    segments.push({ from, to: place, end: low });
    from = place + 1;
  }
  return [...segments, { from, to: tokens.length, end: '' }];
}

const isNumber = (token: Token | undefined) => token?.kind === 'number';
const isDirection = (token: Token | undefined) =>
  token !== undefined && (downWords.has(token.low) || upWords.has(token.low));

/** "up or down 5%" is one part: both directions have one size. */
function isEitherWay(tokens: readonly Token[], place: number): boolean {
  const [before, here, after] = [tokens[place - 1], tokens[place], tokens[place + 1]];
  if (!here || !['or', 'and', '/'].includes(here.low) || !isDirection(before) || !isDirection(after)) return false;
  const sized = tokens[place - 2];
  return !isNumber(sized) && !(sized !== undefined && ['%', 'percent', 'points'].includes(sized.low));
}

/** The group that a segment adds to: a new one where it names other symbols after a shock. */
function groupFor(groups: Group[], named: readonly string[], part: ShockPart | null): Group {
  const last = groups.at(-1);
  const isSame = last !== undefined && named.every((symbol) => last.symbols.includes(symbol));
  const isOpen =
    last !== undefined &&
    (last.scenarios.length === 0 || isSame || (last.symbols.length === 0 && (part === null || part.isVol)));
  if (last && isOpen) {
    last.symbols = [...new Set([...last.symbols, ...named])];
    return last;
  }
  const next: Group = { symbols: [...named], scenarios: [], places: [] };
  groups.push(next);
  return next;
}

/** Symbols that are named after the shocks without one of their own share them: "SPX down 5% and QQQ". */
function mergeBare(groups: readonly Group[]): readonly ShockGroup[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const before = merged.at(-1);
    if (before && group.scenarios.length === 0) before.symbols = [...new Set([...before.symbols, ...group.symbols])];
    else merged.push(group);
  }
  return merged.filter(({ scenarios, symbols }) => scenarios.length > 0 || symbols.length > 0);
}

/** Puts a shock where it belongs. Answers why it cannot. */
function addPart(group: Group, { fields, isVol }: ShockPart, link: string): string | null {
  const last = group.scenarios.at(-1);
  const isAlternative = link === 'or' || link === 'vs' || link === 'versus';
  if (!isVol) {
    const hasSpot = last !== undefined && spotFields.some((field) => last[field] !== undefined);
    if (last && !hasSpot && !isAlternative && fields.length === 1) Object.assign(last, fields[0]);
    else group.scenarios.push(...fields.map((field) => ({ ...field })));
    return null;
  }
  const spots = group.scenarios.filter((one) => spotFields.some((field) => one[field] !== undefined));
  const isTaken = last === undefined || isAlternative || volFields.some((field) => last[field] !== undefined);
  if (isTaken) {
    group.scenarios.push(...fields.map((field) => ({ ...field })));
    return null;
  }
  if (spots.length > 1 || fields.length > 1)
    return 'it could go with any of several shocks of spot: give each scenario on its own';
  Object.assign(last, fields[0]);
  return null;
}

/** "a crash scenario", "in a sell-off": they name the shocks whose size is said beside them. */
function nounsOf(tokens: readonly Token[]): number[] {
  return tokens.flatMap(({ low }, place) => {
    if (!shockNouns.has(low)) return [];
    const [before, after] = [tokens[place - 1]?.low ?? '', tokens[place + 1]?.low ?? ''];
    const isNamed = scenarioNouns.has(after) || ['a', 'an', 'the', 'market'].includes(before);
    return isNamed ? [place] : [];
  });
}
