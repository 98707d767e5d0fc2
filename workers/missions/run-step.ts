import type { Payload } from '#queues/define.ts';
import type { missionExecute } from '#queues/missions.ts';
import type { Processor } from '#workers/processor.ts';
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
};

/** Does one step of a mission that no other surface does. */
export const runStepProcessor: Processor<typeof missionExecute> = async (run) => ({
  output: await steps[run.payload.capability](run),
});
