import type { ProposedStep } from '#src/governance/missions/plan.ts';

/** The capability of the step that waits for a yes. */
export const CONFIRM = 'human.confirm';
const MOST_TEXT = 2_000;

/**
 * A plan that waits for its human's yes before anything runs, where parts of the goal are left out without which it may
 * not be what the goal means. The step says which; every step that would begin at once depends on it.
 */
export function withConfirmation(steps: readonly ProposedStep[], doubts: readonly string[]): readonly ProposedStep[] {
  if (doubts.length === 0 || steps.length === 0) return steps;
  const names = new Set(steps.map(({ id }) => id));
  const id =
    ['confirm', 'confirm_plan', 'confirm_the_plan'].find((name) => !names.has(name)) ?? 'confirm_what_is_left_out';
  const confirm: ProposedStep = {
    id,
    capability: CONFIRM,
    title: 'Waits for your yes: parts of the goal are left out',
    input: {
      question: 'The plan leaves these parts of the goal out. Carry out the rest without them?',
      leftOut: doubts.slice(0, 50).map((text) => text.slice(0, MOST_TEXT)),
      does: steps.map((step) => `${step.id}: ${step.capability}`),
    },
  };
  return [confirm, ...steps.map((step) => ({ ...step, dependsOn: [...new Set([id, ...(step.dependsOn ?? [])])] }))];
}

/** A note on why a plan waits. */
export function doubtNote(doubts: readonly string[]): string[] {
  if (doubts.length === 0) return [];
  const named = doubts.map((text) => `“${text.length > 120 ? `${text.slice(0, 120)}…` : text}”`).join(', ');
  return [`The plan waits for a human’s yes, because it leaves out ${named}.`];
}
