import { readShocks } from '#src/lib/words/shocks.ts';
import { plainGoal, type Token, textOf, tokenize } from '#src/lib/words/tokens.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { hangsOnCondition } from './conditions.ts';
import { conditions, countWords, isOtherHash, negations, scheduleWords } from './goal-words.ts';
import { isHonoured } from './honoured.ts';
import type { ProposedStep } from './rule.ts';
import { shockConditions } from './shock-conditions.ts';

type Step = Pick<ProposedStep, 'capability' | 'input'>;

/**
 * Parts of a goal that a plan made elsewhere does not account for: every number, symbol, address, negation, condition
 * and time word of the goal must be in the input of a step or be named as left out, and what is not to be done must not
 * be done.
 */
export function unaccounted(goal: string, steps: readonly Step[], unmapped: readonly string[]): readonly string[] {
  const text = plainGoal(goal);
  const found = foundIn(steps);
  const named = tokenize(plainGoal(unmapped.join('\n'))).map(({ low }) => low);
  return clausesOf(tokenize(text)).flatMap((clause) => {
    const whole = textOf(text, clause.tokens);
    if (isNamed(named, clause.tokens)) return [];
    if (clause.mode === 'never') return isHonoured(clause.tokens, steps) ? [] : [whole];
    if (clause.mode !== 'do' || hangsOnCondition(clause.tokens)) return [whole];
    const { used } = readShocks(clause.tokens);
    // "if" and "tomorrow" of a shock are said by its numbers
    const led = new Set([...used, ...shockConditions(clause.tokens, used)]);
    const isLost = clause.tokens.some((token, place) => {
      if (token.kind === 'word' && led.has(place)) return false;
      return isMissing(token, { clause, place, found, named, steps });
    });
    return isLost ? [whole] : [];
  });
}

interface Found {
  readonly numbers: ReadonlySet<number>;
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

interface Place {
  readonly clause: Clause;
  readonly place: number;
  readonly found: Found;
  readonly named: readonly string[];
  readonly steps: readonly Step[];
}

function isMissing(token: Token, { clause, place, found, named, steps }: Place): boolean {
  const { kind, low, value, symbol, text } = token;
  if (kind === 'url' || kind === 'quote') return !found.text.includes(kind === 'quote' ? text.slice(1, -1) : text);
  if (named.includes(low)) return false;
  if (kind === 'id' || kind === 'date' || kind === 'shape') return !found.text.toLowerCase().includes(low);
  if (kind === 'symbol') return symbol !== null && !found.words.has(symbol.toLowerCase()) && !found.words.has(low);
  if (kind === 'number') return !isNumberFound(value, clause.tokens[place + 1]?.low ?? '', found, steps);
  if (kind !== 'word' || found.words.has(low)) return false;
  return negations.has(low) || conditions.has(low) || scheduleWords.has(low) || countWords.has(low) || isOtherHash(low);
}

/** As it is, as a share, in the smaller unit, or as that many steps of one kind. */
function isNumberFound(value: number, unit: string, { numbers, words }: Found, steps: readonly Step[]): boolean {
  if (Number.isNaN(value)) return false;
  const isMinutes = unit.startsWith('min');
  const isShare = unit === '%' || unit.startsWith('percent') || unit === 'pct';
  const isBp = unit === 'bp' || unit === 'bps' || unit === 'basis';
  const forms = [
    value,
    ...(isShare ? [value / 100] : []),
    ...(isMinutes ? [value * 60] : []),
    ...(isBp ? [value / 100, value / 10_000] : []),
  ];
  if (forms.some((form) => numbers.has(round(form))) || words.has(String(value))) return true;
  const counts = Map.groupBy(steps, ({ capability }) => capability).values();
  return !isShare && [...counts].some((same) => same.length === value && value > 1);
}

const round = (value: number) => Math.round(Math.abs(value) * 1e9) / 1e9;

/** Every number and word in the inputs of steps. */
function foundIn(steps: readonly Step[]): Found {
  const numbers = new Set<number>();
  const texts: string[] = [];
  const waiting: unknown[] = steps.map(({ input }) => input);
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === 'number') numbers.add(round(one));
    else if (typeof one === 'string') texts.push(one);
    else if (typeof one === 'object' && one !== null) waiting.push(...Object.values(one));
  }
  const text = texts.join('\n');
  const words = new Set<string>();
  for (const { kind, value, low, symbol } of tokenize(plainGoal(text))) {
    if (kind === 'number') numbers.add(round(value));
    words.add(symbol?.toLowerCase() ?? low);
  }
  return { numbers, words, text };
}

function isNamed(named: readonly string[], tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind !== 'mark');
  return words.length > 0 && words.every(({ low }) => named.includes(low));
}
