import type { Measure } from '#src/analytics/domain/oracle/measures/measure.ts';
import { bundles, measures } from '#src/analytics/domain/oracle/measures/measures.ts';
import { type MarkedText, takePhrase } from './marked-text.ts';
import { findWord } from './read-text.ts';

/** Words of options and markets: beside one of them a weak word is meant. */
const context = ['dealer', 'option', 'gamma', 'volatility', '0dte', 'hedging', 'market maker', 'the market'];

const byLength = (a: { readonly phrase: string }, b: { readonly phrase: string }) => b.phrase.length - a.phrase.length;
const strong = measures.flatMap(({ words }, n) => words.map((phrase) => ({ phrase, n }))).toSorted(byLength);
const weak = measures.flatMap(({ weakWords = [] }, n) => weakWords.map((phrase) => ({ phrase, n }))).toSorted(byLength);

/**
 * The measures whose phrases occur, longer phrases first: what one phrase took, a shorter one in it does not take again.
 * Each phrase is taken out of the text, with the mark of its measure in its place.
 */
export function readMeasures(marked: MarkedText, hasSubject: boolean): Measure[] {
  const found = new Set<number>();
  const whole = marked.text;
  for (const { phrase, n } of strong) if (takePhrase(marked, phrase, n)) found.add(n);
  const isMeant = hasSubject || found.size > 0 || context.some((word) => findWord(whole, word) !== -1);
  if (isMeant) {
    for (const { phrase, n } of weak) if (takePhrase(marked, phrase, n)) found.add(n);
    for (const [phrase, names] of Object.entries(bundles)) {
      const numbers = names.map((name) => measures.findIndex((one) => one.name === name));
      if ((phrase !== 'how is' || found.size === 0) && takePhrase(marked, phrase, numbers[0]!))
        for (const n of numbers) found.add(n);
    }
  }
  // "levels" beside a level by name is a word, not another question
  const chosen = measures.filter((_, n) => found.has(n));
  return chosen.length > 1 ? chosen.filter(({ name }) => name !== 'spot' || chosen.length === 1) : chosen;
}
