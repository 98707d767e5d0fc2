import type { Token } from '#src/lib/words/tokens.ts';
import { conditions, verbOf } from './goal-words.ts';

/** Words after which a condition is about the request before, not about the market: "once done". */
const doneWords = new Set(['done', 'finished', 'ready', 'complete', 'completed', 'over', 'through']);
const doneLinks = new Set([
  "it's",
  'it',
  'is',
  'are',
  "that's",
  'that',
  'they',
  'all',
  'everything',
  'both',
  'you',
  'this',
  'have',
  'has',
  'been',
  'are',
  "you're",
  'as',
  'soon',
]);
const ordersIn = new Set(
  'notify post send tell deliver publish share email mail text sms slack message tweet ping call alert warn remind inform buy sell trade order hash digest make create generate produce fetch download'.split(
    ' ',
  ),
);

/** Checks whether a sentence asks what a move of the market does, rather than orders something for the case of it. */
export function asksWhat(sentence: readonly Token[]): boolean {
  const orders = sentence.some(({ low, kind }) => kind === 'url' || ordersIn.has(verbOf(low) ?? ''));
  return !orders;
}

/** Checks whether a clause orders something to be done for the case of a condition within it. */
export function hangsOnCondition(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(({ low }, place) => conditions.has(low) && !isPlainUse(tokens, place));
  return at >= 0 && !asksWhat(tokens);
}

/** "what if", "should I", "in any case", "before and after" order nothing. */
function isPlainUse(tokens: readonly Token[], place: number): boolean {
  const [before, here, after] = [tokens[place - 1]?.low ?? '', tokens[place]?.low ?? '', tokens[place + 1]?.low ?? ''];
  if (here === 'should') return place > 0 || ['i', 'we', 'you'].includes(after);
  return here === 'case' && before !== 'in';
}

/** A clause without "once it is done", which only says that it comes after. */
export function withoutDone(tokens: readonly Token[]): { readonly rest: readonly Token[]; readonly isDone: boolean } {
  const from = tokens.findIndex(({ low }) => ['when', 'once', 'after', 'as'].includes(low));
  if (from < 0) return { rest: tokens, isDone: false };
  if (
    tokens[from]?.low === 'after' &&
    (tokens[from + 1]?.low === 'that' || tokens[from + 1]?.low === 'this') &&
    (tokens.length === from + 2 || from === 0)
  )
    return { rest: [...tokens.slice(0, from), ...tokens.slice(from + 2)], isDone: true };
  let to = from + 1;
  while (doneLinks.has(tokens[to]?.low ?? '')) to++;
  if (!doneWords.has(tokens[to]?.low ?? '')) return { rest: tokens, isDone: false };
  return { rest: [...tokens.slice(0, from), ...tokens.slice(to + 1)], isDone: true };
}
