import type { Payload } from '#queues/define.ts';
import type { missionExecute } from '#queues/missions.ts';
import { isUnderWay } from '#src/governance/missions/mission-store.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Processor } from '#workers/run/processor.ts';
import { confirmPlan } from './confirm-plan.ts';
import { digestContent } from './digest-content.ts';
import { fetchAddress } from './fetch-address.ts';
import { lookAtJob } from './look-at-job.ts';
import { notifyWebhook } from './notify-webhook.ts';
import type { StepRun } from './step-run.ts';
import { verifyOwnReceipt } from './verify-receipt.ts';

const steps: Readonly<Record<Payload<typeof missionExecute>['capability'], StepRun>> = {
  'job.status': lookAtJob,
  'receipt.verify': verifyOwnReceipt,
  'http.fetch': fetchAddress,
  'content.digest': digestContent,
  'notify.webhook': notifyWebhook,
  'human.confirm': confirmPlan,
};

/**
 * Does one step of a mission that no other surface does. A job that comes too late (its mission was cancelled meanwhile, or
 * an operator redrives it after the receipt was sealed) does nothing: what a human approved was part of that mission.
 *
 * @throws AppError `state_conflict` for it, and what the step throws.
 */
export const runStepProcessor: Processor<typeof missionExecute> = async (run) => {
  const { missionId, step, capability } = run.payload;
  if (!(await isUnderWay(run.context)({ mission: missionId, step })))
    throw new AppError(
      'state_conflict',
      `expected a mission under way with the step ${step} running, got one that ended: nothing was done.`,
      {
        mission: missionId,
        step,
      },
    );
  return { output: await steps[capability](run) };
};
