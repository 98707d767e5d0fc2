import { readHorizons } from './shock-horizon.ts';
import { readShockAt, type ShockPart } from './shock-window.ts';
import { downWords, scenarioNouns, segmentEnds, shockNouns, upWords } from './shock-words.ts';
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
  let carried: ShockPart | null = null;
  let link = '';
  for (const { from, to, end } of segmentsOf(tokens)) {
    const named = tokens.slice(from, to).flatMap(({ symbol }) => (symbol === null ? [] : [symbol]));
    const read = readShockAt({ tokens, from, to, skip, carried });
    const part = read && !('why' in read) ? read : null;
    if (read && 'why' in read) unread.push(read);
    const group = groupFor(groups, named, part);
    const fault = part && addPart(group, part, link);
    if (part && fault === null) {
      for (const place of part.places) used.add(place);
      notes.push(...part.notes);
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
    for (const place of [...skip, ...nounsOf(tokens), ...symbolsOf(tokens)]) used.add(place);
    notes.push(...horizons.flatMap(({ note }) => note ?? []));
  }
  return { groups: found, used, unread, notes: [...new Set(notes)] };
}

/** Lets days pass with every shock, or with the last. */
function setDays(groups: readonly Group[], days: number, isAll: boolean): void {
  for (const { scenarios } of groups) for (const shock of isAll ? scenarios : scenarios.slice(-1)) shock.days = days;
}

const symbolsOf = (tokens: readonly Token[]) => tokens.flatMap(({ symbol }, place) => (symbol === null ? [] : [place]));

/** Parts of a phrase between the marks and words that end a shock. */
function segmentsOf(tokens: readonly Token[]): { from: number; to: number; end: string }[] {
  const segments: { from: number; to: number; end: string }[] = [];
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
  const next: Group = { symbols: [...named], scenarios: [] };
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
