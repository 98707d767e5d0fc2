import type { Answer } from '#console/api/client.ts';

export type Mission = Answer<'GET /api/v1/missions/{id}'>;
export type MissionSummary = Answer<'GET /api/v1/missions'>['missions'][number];
type PlanStep = Mission['plan']['steps'][number];
type StepState = Mission['steps'][number];

/** A step as it was planned, and its status. */
export interface Step extends PlanStep {
  readonly at: StepState;
}

/** Checks whether a mission still moves: something of it is to come, its receipt and anchor included. */
export function isUnderWay({ state }: Pick<MissionSummary, 'state'>): boolean {
  return state === 'executing' || state === 'awaiting_human' || state === 'sealing';
}

/** The steps of a mission in the order of its plan. */
export function stepsOf({ plan, steps }: Mission): readonly Step[] {
  const states = new Map(steps.map((step) => [step.id, step]));
  return plan.steps.flatMap((step) => {
    const at = states.get(step.id);
    return at ? [{ ...step, at }] : [];
  });
}
