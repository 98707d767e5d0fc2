import { plainGoal, type Token, textOf, tokenize } from '#src/lib/words/tokens.ts';
import { isUsualStress, questionRule, snapshotRule, stressRule, surfaceRule } from './goal/analysis-rules.ts';
import { type Clause, clausesOf } from './goal/clauses.ts';
import { hangsOnCondition } from './goal/conditions.ts';
import { fillers, isWeighty, strictConditions } from './goal/goal-words.ts';
import { isHonoured } from './goal/honoured.ts';
import { leftOver } from './goal/left-over.ts';
import { mediaRule } from './goal/media-rule.ts';
import { messageRule } from './goal/message-rule.ts';
import { digestRules, fetchRules, ownRules } from './goal/own-rules.ts';
import type { Draft, ProposedStep, Reading, ReadQuestion, Rule, Scene } from './goal/rule.ts';

export type { ProposedStep } from './goal/rule.ts';

export interface GoalPlan {
  readonly steps: readonly ProposedStep[];
  /** Parts of the goal that no step does, in its own words. */
  readonly unmapped: readonly string[];
  /** Unmapped parts without which the steps may not be what the goal means: a human says yes to that first. */
  readonly doubts: readonly string[];
  readonly notes: readonly string[];
}

export interface PlanInputs {
  /** Symbol of the clauses that name none. */
  readonly symbol?: string | undefined;
  /** Every symbol there is. */
  readonly symbols: readonly string[];
  /** Reads the questions of the goal as they will be read when they are asked. */
  readonly readQuestion?: ReadQuestion | null;
}

/** In this order: the first rule that reads a clause makes its steps. */
const rules: readonly Rule[] = [
  ...ownRules,
  messageRule,
  ...fetchRules,
  mediaRule,
  ...digestRules,
  stressRule,
  surfaceRule,
  snapshotRule,
  questionRule,
];

interface Draftplan {
  readonly steps: ProposedStep[];
  readonly unmapped: string[];
  readonly doubts: string[];
  readonly notes: string[];
}

/**
 * The steps that a goal in plain English asks for, by rules: each clause becomes the steps of the first rule that reads
 * it. A rule marks the words that its steps say; every other word that asks for something is named in `unmapped`, never
 * guessed and never dropped.
 */
export function planGoal(goal: string, inputs: PlanInputs): GoalPlan {
  const plan = planOnce(goal, inputs, false);
  const tests = plan.steps.filter(({ capability }) => capability === 'analytics.stress');
  const isMixed = tests.some(isUsualStress) && !tests.every(isUsualStress);
  // "stress SPX, then QQQ, down 4%": the usual shocks of SPX would be a guess
  return isMixed ? planOnce(goal, inputs, true) : plan;
}

function planOnce(goal: string, { symbol, symbols, readQuestion = null }: PlanInputs, hasShocks: boolean): Draftplan {
  const text = plainGoal(goal);
  const plan: Draftplan = { steps: [], unmapped: [], doubts: [], notes: [] };
  const forbidden: Clause[] = [];
  let current = symbol === undefined ? [] : [symbol];
  let source = 'the inputs';
  let last: readonly ProposedStep[] = [];
  let isLost = false;
  for (const clause of clausesOf(knownSymbols(tokenize(text), symbols))) {
    const named = [...new Set(clause.tokens.flatMap((token) => token.symbol ?? []))];
    if (clause.mode === 'never') {
      forbidden.push(clause);
      continue;
    }
    const name = (n: number) => `s${plan.steps.length + 1 + n}`;
    const scene: Scene = {
      goal: text,
      symbols: named.length > 0 ? named : current,
      known: symbols,
      before: [...plan.steps],
      last,
      isLost,
      readQuestion,
      hasShocks,
      name,
    };
    const added = addClause(plan, clause, scene, named.length === 0 ? source : null);
    if (named.length > 0) [current, source] = [named, 'the clause before'];
    last = added;
    isLost = added.length === 0;
  }
  for (const clause of forbidden) forbid(plan, text, clause);
  return plan;
}

function addClause(plan: Draftplan, clause: Clause, scene: Scene, source: string | null): readonly ProposedStep[] {
  const { tokens, mode } = clause;
  const read = mode === 'do' && !hangsOnCondition(tokens) ? readClause(tokens, scene) : null;
  const steps = read ? read.drafts.map((draft, n) => stepOf(draft, scene.name(n), clause, plan.steps)) : [];
  const left = read ? leftOver(scene.goal, tokens, read.used, read.unread) : [];
  const isSometimes =
    mode === 'do' &&
    (read === null ? hangsOnCondition(tokens) : read.drafts.length > 0 && hasCondition(tokens, read.used));
  const [first] = steps;
  if (!read || !first || isSometimes) {
    const whole = textOf(scene.goal, trimmed(tokens));
    plan.unmapped.push(whole);
    plan.doubts.push(whole);
    const why = isSometimes ? [reasonOf('sometimes')] : mode === 'do' ? (read?.notes ?? []) : [reasonOf(mode)];
    plan.notes.push(...why.map((note) => `“${shortly(whole)}”: ${note}.`));
    return [];
  }
  plan.steps.push(...steps);
  plan.notes.push(...read.notes.map((note) => `${first.id}: ${note}.`));
  if (
    source !== null &&
    scene.symbols.length > 0 &&
    steps.some(({ capability }) => capability.startsWith('analytics.'))
  )
    plan.notes.push(`${first.id}: ${scene.symbols.join(', ')} taken from ${source}`);
  for (const { text, isWeighty: isDoubt } of left) {
    plan.unmapped.push(text);
    if (isDoubt) plan.doubts.push(text);
  }
  return steps;
}

/** Checks whether a plan that leaves out these words may not be what the goal means. */
export function isDoubtful(words: string): boolean {
  return tokenize(plainGoal(words)).some(
    (token) => token.kind !== 'mark' && !fillers.has(token.low) && isWeighty(token),
  );
}

function readClause(tokens: readonly Token[], scene: Scene): Reading | null {
  for (const rule of rules) {
    const read = rule(tokens, scene);
    if (read) return read;
  }
  return null;
}

/** Checks whether a condition is left that the steps do not say: then none of them is what the goal means. */
function hasCondition(tokens: readonly Token[], used: ReadonlySet<number>): boolean {
  return tokens.some(({ low }, place) => strictConditions.has(low) && !used.has(place));
}

function stepOf(
  { capability, title, input, waitsFor }: Draft,
  id: string,
  { isNext }: Clause,
  before: readonly ProposedStep[],
): ProposedStep {
  // a message waits for everything, and what comes "then" for what came last
  const waits = waitsFor ?? (isNext ? before.slice(-1).map((step) => step.id) : []);
  return { id, capability, title, input, ...(waits.length > 0 && { dependsOn: [...waits] }) };
}

/** Handles a clause that is not to be done: leaves it out, or names it where a step may do it all the same. */
function forbid(plan: Draftplan, text: string, { tokens }: Clause): void {
  const words = textOf(text, trimmed(tokens));
  if (isHonoured(tokens, plan.steps)) {
    plan.notes.push(`“${shortly(words)}”: no step does that.`);
    return;
  }
  plan.unmapped.push(words);
  plan.doubts.push(words);
}

function reasonOf(mode: Clause['mode']): string {
  if (mode === 'sometimes') return 'nothing here can decide whether that is so, so nothing is done in its name';
  return 'it is not clear whether the “not” before it is about it as well, so it is not done';
}

/** Symbols that there is no data of are words like any others. */
function knownSymbols(tokens: readonly Token[], symbols: readonly string[]): readonly Token[] {
  return tokens.map((token) =>
    token.symbol === null || symbols.includes(token.symbol) ? token : { ...token, kind: 'word', symbol: null },
  );
}

function trimmed(tokens: readonly Token[]): readonly Token[] {
  const isEdge = ({ kind }: Token) => kind === 'mark';
  const from = tokens.findIndex((token) => !isEdge(token));
  const to = tokens.findLastIndex((token) => !isEdge(token));
  return from < 0 ? tokens : tokens.slice(from, to + 1);
}

function shortly(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
