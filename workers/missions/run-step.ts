import type { Payload } from '#queues/define.ts';
import type { missionExecute } from '#queues/missions.ts';
import type { Processor, Run } from '#workers/processor.ts';
import { digestContent } from './digest-content.ts';
import { fetchAddress } from './fetch-address.ts';
import { lookAtJob } from './look-at-job.ts';
import { notifyWebhook } from './notify-webhook.ts';
import { verifyOwnReceipt } from './verify-receipt.ts';

/** What does a capability: its output goes to later steps and to the mission's owner. */
export type StepRun = (run: Run<typeof missionExecute>) => Promise<unknown>;

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
