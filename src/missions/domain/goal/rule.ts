import type { Token } from '#src/lib/words/tokens.ts';
import { verbOf } from './goal-words.ts';

/** A step as a planner proposes it. */
export interface ProposedStep {
  readonly id: string;
  readonly capability: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly dependsOn?: string[];
}

/** A step without its name and its place. */
export type Draft = Pick<ProposedStep, 'capability' | 'title' | 'input'> & {
  /** Steps that it waits for whatever its input says. */
  readonly waitsFor?: readonly string[];
};

/** Why a question, or a part of it, would have no answer, and the words that none would take into account. */
export type ReadQuestion = (
  question: string,
  symbol: string | undefined,
) => { readonly refusal: string | null; readonly notUnderstood: readonly string[] };

/** Context in which a clause is read. */
export interface Scene {
  /** The whole goal, which the places of tokens are of. */
  readonly goal: string;
  /** Symbols that the clause is about: those that it names, else those of the clause before. */
  readonly symbols: readonly string[];
  /** Every symbol there is. */
  readonly known: readonly string[];
  /** Steps that exist already. */
  readonly before: readonly ProposedStep[];
  /** Steps of the clause before, which "it" is about. */
  readonly last: readonly ProposedStep[];
  /** True where the clause before has no step: then "it" is about what is not there. */
  readonly isLost: boolean;
  /** Reads which parts of a question would be answered; null where that is not known beforehand. */
  readonly readQuestion: ReadQuestion | null;
  /** True where another part of the goal names shocks: a test without any may mean those, not the usual set. */
  readonly hasShocks: boolean;
  /** Name of the next step, and of the ones after it. */
  readonly name: (n: number) => string;
}

/** Result of a rule for a clause. */
export interface Reading {
  readonly drafts: readonly Draft[];
  /** Places of the tokens that the drafts say. */
  readonly used: ReadonlySet<number>;
  /**
   * Places of tokens that belong to what the drafts do and that they do not say: what is done may not be what was
   * meant.
   */
  readonly unread?: ReadonlySet<number>;
  /** Why a clause of its kind cannot be done as it is said, or what was assumed: a sentence each. */
  readonly notes: readonly string[];
}

/** Reads a clause of its kind; null for any other. No drafts: it is of this kind, and cannot be done. */
export type Rule = (tokens: readonly Token[], scene: Scene) => Reading | null;

export function refusal(...notes: readonly string[]): Reading {
  return { drafts: [], used: new Set(), notes };
}

/** Places of the words that are in a list, or whose plain form is. */
export function placesOf(tokens: readonly Token[], words: ReadonlySet<string>): number[] {
  return tokens.flatMap(({ kind, low }, place) => (kind === 'word' && isOneOf(words, low) ? [place] : []));
}

export function hasWord(tokens: readonly Token[], words: ReadonlySet<string>): boolean {
  return placesOf(tokens, words).length > 0;
}

export function kindPlaces(tokens: readonly Token[], kind: Token['kind']): number[] {
  return tokens.flatMap((token, place) => (token.kind === kind ? [place] : []));
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

function isOneOf(words: ReadonlySet<string>, low: string): boolean {
  if (words.has(low)) return true;
  const verb = verbOf(low);
  return verb !== null && words.has(verb);
}
