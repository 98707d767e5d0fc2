import type { Config } from '#src/system/config/config-type.ts';
import type { PlanStep, Sensitivity } from './plan.ts';

const needsHuman = {
  confirm: 'leaving out parts of the goal needs a human',
  spend: 'spending needs a human',
  publish: 'publishing needs a human',
  likeness: 'a voice or likeness needs a human',
  claim: 'a commercial claim needs a human',
  outside: 'effects outside need a human',
} as const satisfies Record<Exclude<Sensitivity, 'none'>, string>;

/** Returns the policy that decides over a step of this sensitivity, and its decision. */
export function decide(
  { STEP_ASSURANCE }: Pick<Config, 'STEP_ASSURANCE'>,
  sensitivity: Sensitivity,
): PlanStep['policy'] {
  if (sensitivity === 'none') return { name: 'reading and computing', decision: 'allow', assurance: null };
  return { name: needsHuman[sensitivity], decision: 'human', assurance: STEP_ASSURANCE };
}
