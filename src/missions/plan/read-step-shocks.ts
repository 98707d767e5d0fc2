import type { ProposedStep } from '#src/governance/missions/plan.ts';
import { AppError } from '#src/lib/errors.ts';
import { fillerWords } from '#src/lib/words/shock-words.ts';
import { readShocks } from '#src/lib/words/shocks.ts';
import { plainGoal, textOf, tokenize } from '#src/lib/words/tokens.ts';

/**
 * Steps with the shocks that they have in words as numbers, so that the plan shows what will be run.
 *
 * @throws AppError `unplannable` for words that are not all shocks, or for two ways to say them.
 */
export function withReadShocks(steps: readonly ProposedStep[]): readonly ProposedStep[] {
  return steps.map((step) => {
    const { shocks: words, ...input } = step.input;
    if (step.capability !== 'analytics.stress' || typeof words !== 'string') return step;
    if (input['scenarios'] !== undefined)
      throw unplannable(step.id, 'expected shocks in words or as scenarios, got both');
    return { ...step, input: { ...input, scenarios: scenariosOf(step.id, words) } };
  });
}

function scenariosOf(id: string, words: string): readonly object[] {
  const text = plainGoal(words);
  const tokens = tokenize(text);
  const { groups, used, unread } = readShocks(tokens);
  const [cannot] = unread;
  if (cannot)
    throw unplannable(
      id,
      `expected shocks that can be run, got “${textOf(text, tokens.slice(cannot.from, cannot.to + 1))}”: ${cannot.why}`,
    );
  const scenarios = groups.flatMap((group) => group.scenarios);
  if (scenarios.length === 0)
    throw unplannable(
      id,
      `expected shocks such as "drops 3% and vol rises 10", got ${JSON.stringify(text.slice(0, 100))}`,
    );
  const left = tokens.find(({ kind, low }, place) => kind !== 'mark' && !used.has(place) && !fillerWords.has(low));
  if (left)
    throw unplannable(
      id,
      `expected shocks alone, got ${JSON.stringify(left.text)} as well, which no shock is read from`,
    );
  return scenarios;
}

function unplannable(id: string, fault: string): AppError {
  const faults = [`${id}: ${fault}`];
  return new AppError('unplannable', `expected a plan that can run, got: ${faults.join('; ')}.`, { faults });
}
