import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyJob, type EndReport, type Handed, JobStopped, runAttempt } from '@proofline/worker/runner';
import { admitWork } from '#src/access/quota.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { AttemptFailed } from '#src/jobs/run/conclude.ts';
import { openCheckedProgress } from '#src/jobs/run/progress.ts';
import type { Attempt } from '#src/jobs/run/run-attempt.ts';
import { readSteps, type Step } from '#src/jobs/steps/read-steps.ts';
import { failureOf } from '#src/jobs/workers/reported.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import type { AttemptProcessor } from '#workers/run/processor.ts';
import { type DirectPort, openDirectPort } from './direct-port.ts';
import { mayPass } from './may-pass.ts';

const RETRY_MS = 250;

/**
 * Runs jobs of a definition in an attempt of the fleet's runner: the story of `@proofline/worker` over a direct port. The
 * runner settles what it ends with, but a wait, which is settled here.
 *
 * @param track gets what runs, also where the runner no longer waits for it
 */
export function definitionProcessor(definition: AnyJob, track: (work: Promise<unknown>) => void): AttemptProcessor {
  return async ({ payload, context }, attempt) => {
    const { signal } = attempt.running.stop;
    const steps = await stepsOf(context, attempt);
    const port = openDirectPort(context, attempt, {
      admit: admitWork(context),
      emit: openCheckedProgress(context, attempt.queue, attempt.claimed.id),
    });
    const stop = new AbortController();
    const onStop = () => stop.abort(new JobStopped(reasonOf(signal.reason)));
    signal.addEventListener('abort', onStop);
    if (signal.aborted) onStop();
    const running = runAttempt(definition, handed(attempt, payload, steps), port, stop);
    track(running);
    try {
      return await outcome(await running, port);
    } finally {
      port.close();
      signal.removeEventListener('abort', onStop);
    }
  };
}

/** The result of an attempt. @throws AttemptFailed; StopReason where there is nothing for the runner to settle */
async function outcome(end: EndReport | null, port: DirectPort): Promise<unknown> {
  // it was lost, or stopped by the runner, which knows why
  if (end === null) throw new StopReason('lease_lost');
  if (end.type === 'succeeded') return end.result;
  if (end.type === 'failed') throw new AttemptFailed(failureOf(end));
  if (end.type === 'released') throw new StopReason('drain');
  const answer = await port.report(end);
  if (answer.status === 'accepted') throw new StopReason('suspended');
  if (answer.status === 'stale') throw new StopReason('lease_lost');
  const { code, message } = answer;
  throw new AttemptFailed({ error: { code, message }, retryable: false });
}

/** The steps of earlier attempts; waits for them while Postgres is away. @throws the signal's reason */
async function stepsOf(context: Context, { claimed, running }: Attempt): Promise<readonly Step[]> {
  const { signal } = running.stop;
  for (;;) {
    try {
      return (await readSteps(context, [claimed])).get(claimed.id) ?? [];
    } catch (error) {
      if (!mayPass(error)) throw error;
      void logFailure(context, error, { job: claimed.id }, 'the steps of a job were not read; reading them again');
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    }
  }
}

function handed({ queue, claimed, token }: Attempt, payload: unknown, steps: readonly Step[]): Handed {
  const { id, version, attempt, failures, createdAt, startedAt, trace } = claimed;
  return {
    id,
    queue: queue.name,
    version,
    attempt,
    token,
    payload,
    failures,
    created_at: createdAt.toISOString(),
    deadline: new Date(startedAt.getTime() + queue.timeoutMs).toISOString(),
    steps,
    trace,
  };
}

const reasons = { cancelled: 'cancelled', drain: 'drain', lease_lost: 'lost', payload_away: 'lost' } as const;

/** Why the runner stopped an attempt, in the words of the package. */
function reasonOf(reason: unknown): JobStopped['reason'] {
  if (!(reason instanceof StopReason)) return 'timeout';
  return reason.why === 'suspended' ? 'ended' : reasons[reason.why];
}
