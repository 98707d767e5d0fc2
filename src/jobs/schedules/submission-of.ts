import type { QueueContract } from '#queues/define.ts';
import type { Submission, SubmissionOptions } from '#src/jobs/submit/submit.ts';
import type { Schedule } from './schedule-row.ts';

/** Parts of a submission that a schedule may have: all but times, which are its own. */
export type ScheduleOptions = Omit<SubmissionOptions, 'runAt' | 'expiresAt'>;

/**
 * The submission of one run. Its key has spaces, which no client's has: a run is submitted once, by its schedule and its
 * time, whatever the payload says by then.
 */
export function submissionOf(
  { owner, keyId, name, payload, options }: Schedule,
  at: Date | string,
): Submission<QueueContract> {
  const run = `schedule ${name} ${typeof at === 'string' ? at : at.toISOString()}`;
  const { webhook: _webhook, ...rest } = options;
  return { ...(rest as ScheduleOptions), principal: { owner, keyId }, payload, idempotencyKey: run, request: run };
}
