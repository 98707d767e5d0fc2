import type { Unread } from './shock.ts';
import { isDirection, type ShockSegment } from './shock-segments.ts';
import { continuers, isSubject, type ShockPart } from './shock-window.ts';
import { functionWords, scenarioNouns, shockFillers, shockNouns, volWords } from './shock-words.ts';
import type { Token } from './tokens.ts';

/** After one of these comes what happens, not another underlying that it happens to: "SPX if QQQ falls 5%". */
export const apartLinks = new Set('if when while with but versus vs whereas after as'.split(' '));
/** Words that part an underlying from the shock beside them: "5% less than QQQ". */
const partingWords = new Set('not no without against like until because cause causes'.split(' '));
const questionWords = new Set('what how who where why which does do did'.split(' '));

/** Checks whether a shock is said of the symbol of a place, where a phrase names several. */
export function isMeant(
  tokens: readonly Token[],
  { from, to }: ShockSegment,
  place: number,
  part: ShockPart | null,
  groups: readonly { readonly scenarios: readonly unknown[] }[],
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
export function besideShock(
  tokens: readonly Token[],
  { to }: ShockSegment,
  { places }: ShockPart,
  skip: ReadonlySet<number>,
): number | null {
  const next = places.at(-1)! + 1;
  const token = tokens[next];
  if (next >= to || skip.has(next) || token?.kind !== 'word') return null;
  return isPlain(token) ? null : next;
}

/**
 * Describes what moves in a segment without a size, such as "vol up"; null where nothing does, or where it is a
 * question.
 */
export function sizeless(
  tokens: readonly Token[],
  { from, to }: ShockSegment,
  nouns: readonly number[],
): Unread | null {
  const words = tokens.slice(from, to);
  if (words.some(({ low }) => questionWords.has(low))) return null;
  const moves = words.some((token, n) => (isDirection(token) && !nouns.includes(from + n)) || volWords.has(token.low));
  if (!moves) return null;
  const first = words.findIndex((token) => isSubject(token) || isDirection(token));
  return { from: from + first, to: to - 1, why: 'it says no size' };
}
