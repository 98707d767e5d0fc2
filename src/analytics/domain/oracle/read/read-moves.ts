import { isInPoints, type ShockGroup } from '#src/lib/words/shock.ts';
import { readShocks } from '#src/lib/words/shocks.ts';
import { type Token, textOf, tokenize } from '#src/lib/words/tokens.ts';
import { type MarkedText, takeAll } from './marked-text.ts';
import type { Qualifiers } from './qualifiers.ts';

/** Stand before a move and say nothing of it: "if", "what happens when". */
const LEADS = /\b(?:if|when|what|happens?|scenario|suppose|say|assume|assuming|in case|case|of|a|an|by)\b/g;

/**
 * Takes the moves of a question, as {@link readShocks} reads them for goals of missions as well. What looks like a move and
 * cannot be run is said to be, and stays in the text: no measure beside it is answered without it.
 */
export function readMoves(marked: MarkedText, found: Qualifiers): void {
  // of the same length, so that places are places in the text
  const text = marked.text.replaceAll('|', ',');
  const tokens = tokenize(text);
  const { groups, used, unread, notes } = readShocks(tokens);
  const shocked = groups.filter(({ scenarios }) => scenarios.length > 0);
  const isFigure = (place: number) => shocked.length === 0 || tokens[place]?.symbol !== null;
  // an underlying that is named beside its measure is a subject of the question, and moves with the market
  const said = unread.filter(({ from, to }) => !(from === to && isFigure(from)));
  for (const { from, to, why } of said)
    found.refused.push(`“${textOf(text, tokens.slice(from, to + 1))}” was left out: ${why}`);
  if (shocked.length === 0) return;
  const fault = faultOf(shocked, tokens);
  if (fault !== null) {
    found.refused.push(fault);
    return;
  }
  found.moves = shocked.flatMap(({ scenarios }) => scenarios);
  found.notes.push(...notes);
  for (const place of used) {
    const { from, to, symbol } = tokens[place]!;
    if (symbol === null) marked.text = marked.text.slice(0, from) + ' '.repeat(to - from) + marked.text.slice(to);
  }
  takeAll(marked, LEADS, () => {});
}

/** Returns why the moves cannot be those of every underlying of the question; null where they are. */
function faultOf(groups: readonly ShockGroup[], tokens: readonly Token[]): string | null {
  const named = new Set(tokens.flatMap(({ symbol }) => symbol ?? []));
  const isOfAll = groups.every(({ symbols, own }) => own.length === 0 || symbols.length === named.size);
  if (!isOfAll) return 'underlyings that move each by itself are not answered together: ask of each alone';
  const hasLevel = groups.some(({ scenarios }) => scenarios.some(isInPoints));
  if (hasLevel && named.size > 1)
    return 'a move in points is another percentage for each underlying: ask of each alone';
  return null;
}
