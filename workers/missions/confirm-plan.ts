import type { StepRun } from './step-run.ts';

/** A step whose whole effect is its human's yes, which has come: nothing is left to do. */
export const confirmPlan: StepRun = async ({ payload: { input } }) => ({ confirmed: true, ...input });
