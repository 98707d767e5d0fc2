import type { answer } from '#queues/analytics.ts';
import { answerStep } from '#src/analytics/oracle/answer-step.ts';
import type { Processor } from '#workers/run/processor.ts';

/** Answers a step of a mission. It waits for jobs of other queues, which have places of their own. */
export const answerStepProcessor: Processor<typeof answer> = async ({ payload, job, context, signal }) => ({
  answer: await answerStep(context, job.owner, payload, signal),
});
