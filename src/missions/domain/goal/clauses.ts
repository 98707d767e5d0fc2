import type { Token } from '#src/lib/words/tokens.ts';
import { asksWhat, withoutDone } from './conditions.ts';
import { conditions, fillers, negations, strictConditions, verbOf } from './goal-words.ts';
import { isMediaWord } from './media-words.ts';

/** A part of a goal that asks for one thing. */
export interface Clause {
  readonly tokens: readonly Token[];
  /** True where it comes "then": after the clause before. */
  readonly isNext: boolean;
  /**
   * `never`: it is not to be done. `unsure`: the words before may say so of it as well. `sometimes`: it hangs on a
   * condition.
   */
  readonly mode: 'do' | 'never' | 'unsure' | 'sometimes';
}

const sentenceEnds = new Set(['.', ';', '!', '?', '\n']);
const joints = new Set([
  ',',
  'and',
  'but',
  'or',
  '&',
  '—',
  '–',
  '-',
  'plus',
  'also',
  'then',
  'finally',
  'afterwards',
  'next',
]);
const between = new Set([
  'please',
  'pls',
  'also',
  'then',
  'just',
  'only',
  'finally',
  'afterwards',
  'next',
  'you',
  'can',
  'should',
  'must',
  'to',
  'and',
  'me',
  'i',
]);
const questions = new Set(['what', 'how', 'where', 'which', 'who', 'why', 'is', 'are', "what's", 'does', 'will']);
/** Verbs that are nouns as often: they begin a clause only before something that they are done to. */
const alsoNouns = new Set(
  'call text mail email message post report record list chart order book trade hash digest fingerprint print store show run fit read take share open pull watch track load check slack answer ask stress shock snapshot ping paint draw design spend pay plot sign tag push sum average rank import export filter'.split(
    ' ',
  ),
);
const notObjects = new Set('wall walls skew spread option options side'.split(' '));

/** Cuts a goal into clauses: at the ends of sentences, at "then", and at an "and" or a comma before a verb. */
export function clausesOf(goal: readonly Token[]): readonly Clause[] {
  return sentencesOf(goal).flatMap(withoutConditionalEnd).flatMap(clausesOfSentence);
}

function sentencesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const sentences: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'mark' && sentenceEnds.has(token.low)) sentences.push([]);
    else sentences.at(-1)!.push(token);
  }
  return sentences.filter((sentence) => sentence.length > 0);
}

/** "do this, and if so, do that": what hangs on the condition is a clause of its own. */
function withoutConditionalEnd(sentence: readonly Token[]): readonly (readonly Token[])[] {
  const at = sentence.findIndex(({ low }, place) => {
    if (place === 0 || !strictConditions.has(low)) return false;
    const before = sentence[place - 1]!.low === 'only' ? place - 2 : place - 1;
    return [',', 'and', 'but', 'then'].includes(sentence[before]?.low ?? '') && !asksWhat(sentence.slice(place));
  });
  return at < 1 ? [sentence] : [sentence.slice(0, at), sentence.slice(at)];
}

function clausesOfSentence(sentence: readonly Token[]): readonly Clause[] {
  if (isUnderCondition(sentence)) return [{ tokens: sentence, isNext: false, mode: 'sometimes' }];
  const clauses: Clause[] = [];
  let before = 'do' as Clause['mode'];
  for (const { tokens, joint, hasThen } of partsOf(sentence)) {
    const { rest, isDone } = withoutDone(tokens);
    const words = rest.filter(({ kind }) => kind !== 'mark');
    if (words.every(({ low, kind }) => kind === 'word' && fillers.has(low))) continue;
    // "do not post it or mail it"
    const isNever = isNegated(rest) || (before === 'never' && joint === 'or');
    // "do not fetch it and post it": whether the second is to be done, only its author knows
    const isUnsure: boolean = !isNever && before === 'never' && joint === 'and' && !hasThen;
    const mode: Clause['mode'] = isNever ? 'never' : isUnsure ? 'unsure' : 'do';
    clauses.push({ tokens: rest, isNext: hasThen || isDone, mode });
    before = mode === 'never' || mode === 'unsure' ? 'never' : 'do';
  }
  return clauses;
}

interface Part {
  readonly tokens: readonly Token[];
  /** Words that separate it from the one before. */
  readonly joint: string;
  readonly hasThen: boolean;
}

function partsOf(sentence: readonly Token[]): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  let joint = '';
  let hasThen = false;
  const close = (to: number) => parts.push({ tokens: sentence.slice(from, to), joint, hasThen });
  for (let place = 0; place < sentence.length; place++) {
    const end = jointEnd(sentence, place, from);
    if (end === null) continue;
    close(place);
    const skipped = sentence.slice(place, end).map(({ low }) => low);
    joint = skipped.find((low) => low === 'and' || low === 'or' || low === '&') ?? skipped[0] ?? '';
    if (skipped.includes('but') || skipped.includes(','))
      joint = skipped.includes('and') && !skipped.includes('but') ? 'and' : ',';
    hasThen = skipped.some((low) => ['then', 'afterwards', 'next', 'finally', 'before'].includes(low));
    from = end;
    place = end - 1;
  }
  close(sentence.length);
  return parts;
}

/** The place after a joint that parts two clauses; null where the words here part none. */
function jointEnd(sentence: readonly Token[], place: number, from: number): number | null {
  const token = sentence[place]!;
  const { low } = token;
  const next = sentence[place + 1];
  if (
    place > from &&
    (low === 'without' || low === 'before') &&
    next &&
    next.low.endsWith('ing') &&
    verbOf(next.low) !== null
  )
    return low === 'without' ? place : place + 1;
  if (place > from && excludesSymbol(sentence, place)) return place;
  if (low === 'then' && place > from) return place + 1;
  if (!joints.has(low) || (token.kind === 'mark' && (low === '-' || low === '–') && token.isJoined)) return null;
  let end = place + 1;
  while (joints.has(sentence[end]?.low ?? '') && sentence[end]?.low !== '-') end++;
  const hasThen = sentence.slice(place, end).some((one) => one.low === 'then' || one.low === 'but');
  if (hasThen) return end;
  return beginsClause(sentence, end, from) ? end : null;
}

/** "SPX instead of QQQ", "all but SPY": what follows is not meant. */
function excludesSymbol(sentence: readonly Token[], place: number): boolean {
  const [here, next, after] = [sentence[place]!.low, sentence[place + 1], sentence[place + 2]];
  if ((here === 'instead' && next?.low === 'of') || (here === 'rather' && next?.low === 'than'))
    return after?.kind === 'symbol';
  return (
    ['except', 'excluding', 'not', 'without', 'minus'].includes(here) &&
    (next?.kind === 'symbol' || (next?.low === 'for' && after?.kind === 'symbol'))
  );
}

function beginsClause(sentence: readonly Token[], at: number, from: number): boolean {
  let place = at;
  while (between.has(sentence[place]?.low ?? '')) place++;
  const first = sentence[place];
  if (!first) return false;
  if (negations.has(first.low) && first.low !== 'minus' && first.low !== 'unless' && first.low !== 'except')
    return sentence.slice(place, place + 5).some(({ low }) => verbOf(low) !== null);
  if (first.low === 'do' && sentence[place + 1]?.low === 'not') return true;
  if (
    (first.low === 'instead' && sentence[place + 1]?.low === 'of') ||
    (first.low === 'rather' && sentence[place + 1]?.low === 'than')
  )
    return true;
  // "if SPX falls 5%, what happens": the question is about the condition
  if (questions.has(first.low))
    return !(
      place === at &&
      ['if', 'when', 'suppose', 'assuming', 'say', 'after', 'given', 'with'].includes(sentence[from]?.low ?? '')
    );
  if (isThingNext(sentence, at, from)) return true;
  const verb = verbOf(first.low);
  if (verb === null || verb !== first.low) return false;
  return !alsoNouns.has(first.low) || isDoneTo(sentence[place + 1]);
}

/** "compose music and three pictures": the second thing is one of its own. */
function isThingNext(sentence: readonly Token[], at: number, from: number): boolean {
  const first = sentence[at];
  if (!first || (first.kind !== 'number' && !['a', 'an', 'some'].includes(first.low))) return false;
  const isMade = sentence.slice(from, at).some(({ low }) => isMediaWord(low));
  return isMade && sentence.slice(at + 1, at + 5).some(({ low }) => isMediaWord(low));
}

function isDoneTo(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind !== 'word') return token.kind !== 'mark';
  if (notObjects.has(token.low)) return false;
  return (
    (fillers.has(token.low) && !['of', 'in', 'is', 'are', 'and', 'or'].includes(token.low)) ||
    [
      'them',
      'him',
      'her',
      'everyone',
      'everything',
      'both',
      'results',
      'result',
      'snapshot',
      'receipt',
      'only',
      'job',
      'sha256',
      'sha-256',
      'with',
    ].includes(token.low)
  );
}

/** Checks whether a sentence begins with a condition that is none of the market's moves. */
function isUnderCondition(sentence: readonly Token[]): boolean {
  const first = sentence.findIndex(
    ({ low, kind }) =>
      kind !== 'mark' && !['and', 'but', 'please', 'only', 'also', 'then', 'so', 'in', 'as'].includes(low),
  );
  const token = sentence[first];
  if (
    !token ||
    !conditions.has(token.low) ||
    token.low === 'before' ||
    token.low === 'after' ||
    token.low === 'instead' ||
    token.low === 'rather'
  )
    return false;
  const next = sentence[first + 1]?.low ?? '';
  if (token.low === 'when' && ['is', 'are', 'does', 'do', 'did', 'will', 'was'].includes(next)) return false;
  if (token.low === 'should' && ['i', 'we', 'you', 'dealers'].includes(next)) return false;
  if (withoutDone(sentence.slice(first)).isDone) return false;
  // "if SPX falls 5%, what happens" is one question; a clause of its own after it is a deed under a condition
  const parts = partsOf(sentence);
  return parts.length > 1 || !asksWhat(sentence);
}

const beforeNegation = new Set(
  'please but and just also you should must can could would we i want need like to so it that only'.split(' '),
);

/** Checks whether the clause begins by saying that it is not to be done. */
function isNegated(tokens: readonly Token[]): boolean {
  let place = 0;
  while (beforeNegation.has(tokens[place]?.low ?? '') || tokens[place]?.kind === 'mark') place++;
  const [first, second] = [tokens[place]?.low ?? '', tokens[place + 1]?.low ?? ''];
  if (first === 'do' || first === 'does' || first === 'did') return second === 'not' || second === 'never';
  if (first === 'instead') return second === 'of';
  if (first === 'rather') return second === 'than';
  return negations.has(first) && first !== 'unless' && first !== 'minus';
}
