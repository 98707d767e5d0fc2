import { downWords, segmentEnds, upWords } from './shock-words.ts';
import type { Token } from './tokens.ts';

/** A part of a phrase that can have one shock. */
export interface ShockSegment {
  readonly from: number;
  /** Place of the mark or word that ends it. */
  readonly to: number;
  readonly end: string;
}

/** Parts of a phrase between the marks and words that end a shock. */
export function segmentsOf(tokens: readonly Token[]): readonly ShockSegment[] {
  const segments: ShockSegment[] = [];
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
export const isDirection = (token: Token | undefined) =>
  token !== undefined && (downWords.has(token.low) || upWords.has(token.low));

/** "up or down 5%" is one part: both directions have one size. */
function isEitherWay(tokens: readonly Token[], place: number): boolean {
  const [before, here, after] = [tokens[place - 1], tokens[place], tokens[place + 1]];
  if (!here || !['or', 'and', '/'].includes(here.low) || !isDirection(before) || !isDirection(after)) return false;
  const sized = tokens[place - 2];
  return !isNumber(sized) && !(sized !== undefined && ['%', 'percent', 'points'].includes(sized.low));
}
