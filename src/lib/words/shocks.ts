import type { Shock, ShockGroup, Unread } from './shock.ts';
import { addPart, bareGroup, type Group, groupFor, mergeBare, setDays } from './shock-groups.ts';
import { readHorizons } from './shock-horizon.ts';
import { apartLinks, besideShock, isMeant, sizeless } from './shock-scope.ts';
import { type ShockSegment, segmentsOf } from './shock-segments.ts';
import { readShockAt, type ShockPart } from './shock-window.ts';
import { scenarioNouns, shockNouns } from './shock-words.ts';
import type { Token } from './tokens.ts';

/** Shocks that are applied where the text names none. */
export const defaultShocks: readonly Pick<Shock, 'spot_shock_pct'>[] = [-5, -2, 2, 5].map((spot_shock_pct) => ({
  spot_shock_pct,
}));

export interface ShocksRead {
  readonly groups: readonly ShockGroup[];
  /** Places of the tokens that the shocks were read from. */
  readonly used: ReadonlySet<number>;
  readonly unread: readonly Unread[];
  /** Assumptions that were made, a sentence each. */
  readonly notes: readonly string[];
}

const nowWords = new Set(['now', 'today', 'immediately', 'instantly', 'first']);
const NOT_SHOCKED = 'it is not said what happens to it';

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
  // "-2% now and -5% in a week": the time is of the shock beside it
  const isNow = tokens.some(({ low }) => nowWords.has(low));
  const isSeveral = new Set(tokens.flatMap(({ symbol }) => symbol ?? [])).size > 1;
  const silent: ShockSegment[] = [];
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
    if (part) group.own.push(...part.places.flatMap((place) => tokens[place]!.symbol ?? []));
    const fault = part && addPart(group, part, link);
    if (part && fault === null) {
      for (const place of part.places) if (tokens[place]!.symbol === null) used.add(place);
      // "3% or 5%": each is a scenario
      if (carried) used.add(from - 1);
      notes.push(...part.notes);
      const strange = besideShock(tokens, segment, part, skip);
      if (strange !== null && !nowWords.has(tokens[strange]!.low))
        unread.push({ from: strange, to: strange, why: 'it is not clear what it says of the shock' });
      carried = part;
    } else if (fault) unread.push({ from, to: to - 1, why: fault });
    // of several horizons each belongs to the shock beside it
    if (horizons.length > 1 || isNow)
      for (const { days } of horizons.filter((one) => one.from >= from && one.from <= to))
        setDays([group], days, false);
    link = end;
  }
  const [only] = horizons;
  if (only && horizons.length === 1 && !isNow) setDays(groups, only.days, true);
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

const symbolsOf = (tokens: readonly Token[], { from, to }: ShockSegment) =>
  tokens.slice(from, to).flatMap(({ symbol }, n) => (symbol === null ? [] : [from + n]));

/** "a crash scenario", "in a sell-off": they name the shocks whose size is said beside them. */
function nounsOf(tokens: readonly Token[]): number[] {
  return tokens.flatMap(({ low }, place) => {
    if (!shockNouns.has(low)) return [];
    const [before, after] = [tokens[place - 1]?.low ?? '', tokens[place + 1]?.low ?? ''];
    const isNamed = scenarioNouns.has(after) || ['a', 'an', 'the', 'market'].includes(before);
    return isNamed ? [place] : [];
  });
}
