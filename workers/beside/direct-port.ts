import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttemptPort,
  JobError,
  type ReportAnswer,
  type StoryReport,
  type TalkReport,
} from '@proofline/worker/runner';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Attempt } from '#src/jobs/run/run-attempt.ts';
import { applyReport } from '#src/jobs/workers/report.ts';
import type { Report, ReportOf } from '#src/jobs/workers/report-body.ts';
import { reportRefusal } from '#src/jobs/workers/report-refusal.ts';
import type { Reported } from '#src/jobs/workers/reported.ts';
import { backoffMs } from '#src/lib/async/backoff.ts';
import { describeError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { mayPass } from './may-pass.ts';

type Item = StoryReport | TalkReport | Omit<ReportOf<'suspended'>, 'job' | 'attempt' | 'token'>;

/** Way of one attempt to the functions that apply what workers elsewhere report over HTTP, with nothing between. */
export interface DirectPort extends AttemptPort {
  /**
   * Applies a report and gives its answer, however often it takes while Postgres is away. Stops what is lost.
   *
   * @throws JobError where it fails for a lease although Postgres answers, or the attempt is over meanwhile
   */
  readonly report: (item: Item) => Promise<ReportAnswer>;
  /** Takes no more lines and progress: the attempt is over. */
  readonly close: () => void;
}

export function openDirectPort(
  context: Context,
  { running: { stop }, ...attempt }: Attempt,
  how: Pick<Reported, 'admit' | 'emit'>,
): DirectPort {
  const { claimed, token } = attempt;
  let isOpen = true;
  const reported: Reported = {
    ...attempt,
    ...how,
    startedAt: claimed.startedAt,
    get isHeld() {
      return isOpen && !stop.signal.aborted;
    },
  };

  const apply = async (item: Item): Promise<ReportAnswer> => {
    const report = { ...item, job: claimed.id, attempt: claimed.attempt, token };
    // the bounds that the route has: names, lengths, places
    const wrong = reportRefusal(report);
    if (wrong) return wrong as ReportAnswer;
    return (await applyReport(context, reported, report as Report)) as ReportAnswer;
  };

  const report: DirectPort['report'] = async (item) => {
    // what happened outside has happened, whosever the job is by now
    const isOutcome = item.type === 'effect_done' || item.type === 'effect_failed';
    const signal = isOutcome ? new AbortController().signal : stop.signal;
    const until = performance.now() + context.config.LEASE_MS;
    for (let failures = 1; ; failures++) {
      try {
        const answer = await apply(item);
        if (answer.status === 'stale' && isOpen) stop.abort(new StopReason('lease_lost'));
        return answer;
      } catch (error) {
        const fields = { job: claimed.id, report: item.type, failures };
        void logFailure(context, error, fields, 'a report of a job was not taken');
        if (signal.aborted || (performance.now() > until && !mayPass(error))) throw failureOf(error);
        await sleep(backoffMs(failures, 100, 1_000), undefined, { signal }).catch(() => {});
      }
    }
  };

  return {
    report,
    tell: (item) =>
      void report(item).then(
        (answer) => {
          if (answer.status === 'refused')
            context.log.warn({ job: claimed.id, why: answer.message }, `${item.type} of a job was refused`);
        },
        // a line is no reason to fail a job, and its log has said why
        () => {},
      ),
    onThrown: (error) =>
      context.log.warn({ err: error, job: claimed.id, queue: claimed.queue }, 'an attempt ended with an error'),
    close: () => {
      isOpen = false;
    },
  };
}

/** The failure of an attempt whose report was never taken; another attempt may have more luck. */
function failureOf(error: unknown): JobError {
  const { code, message } = describeError(error);
  return new JobError(code, message, { cause: error });
}
