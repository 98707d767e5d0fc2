import { spotWords, volWords } from '#src/lib/words/shock-words.ts';
import type { Token } from '#src/lib/words/tokens.ts';
import { fillers } from './goal-words.ts';

const leads = new Set([
  'if',
  'when',
  'after',
  'under',
  'suppose',
  'supposing',
  'assuming',
  'case',
  'whenever',
  'once',
  'while',
  'should',
  'tomorrow',
]);

/**
 * Places of the words that a shock is led in by: "if" of "what if SPX falls", but not that of "if gamma is negative".
 */
export function shockConditions(tokens: readonly Token[], used: ReadonlySet<number>): number[] {
  return tokens.flatMap(({ low }, place) => {
    if (!leads.has(low)) return [];
    let next = place + 1;
    while (next < tokens.length && !isShock(tokens[next]!, used.has(next)) && isBetween(tokens[next]!)) next++;
    return next < tokens.length && isShock(tokens[next]!, used.has(next)) ? [place] : [];
  });
}

function isShock({ kind }: Token, isUsed: boolean): boolean {
  return isUsed && kind !== 'symbol';
}

function isBetween({ kind, low }: Token): boolean {
  return kind === 'symbol' || (kind === 'word' && (fillers.has(low) || spotWords.has(low) || volWords.has(low)));
}
