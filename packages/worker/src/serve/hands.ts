import { JobError, JobStopped, type StopReason } from '../errors/job-error.ts';
import { type AttemptPort, failureOf, type Handed, runAttempt } from '../job/attempt.ts';
import { type AnyJob, versionsOf } from '../job/define-job.ts';
import type { EndReport, Report, ReportAnswer } from '../story/reports.ts';
import { openLongLines } from './long-lines.ts';
import type { Reporter } from './reporter.ts';
import type { WorkerLog } from './worker-log.ts';

/** A job in hand, as polls name it. */
export interface InHand {
  readonly id: string;
  readonly attempt: number;
}

/** The jobs that a worker has taken. */
export interface Hands {
  /** Runs a job that was handed out, and reports its end by the reporter. */
  readonly take: (handed: Handed, reporter: Reporter) => void;
  readonly stop: (job: InHand, reason: StopReason) => void;
  readonly stopAll: (reason: StopReason) => void;
  /** Jobs whose end the server has not heard. */
  readonly list: () => readonly InHand[];
  /** Number of runs, those among them that were stopped and have not ended yet. */
  readonly busy: () => number;
  /** Calls the listener whenever a run ends; gives the way to stop that. */
  readonly onFreed: (listener: () => void) => () => void;
}

interface Hand extends InHand {
  readonly stop: (reason: StopReason) => void;
}

/** Opens the hands of a worker that takes these kinds of jobs. */
export function openHands(jobs: readonly AnyJob[], log: WorkerLog): Hands {
  const kinds = new Map(jobs.flatMap((job) => versionsOf(job).map((version) => [`${job.name}@${version}`, job])));
  const hands = new Map<string, Hand>();
  const sayWhereCut = openLongLines(log);
  let running = 0;
  const listeners = new Set<() => void>();

  const work = async (job: AnyJob | undefined, handed: Handed, reporter: Reporter, stop: AbortController) => {
    const report = reportTo(reporter, handed, stop);
    if (!job) {
      log.error('a job was handed out that this worker does not take; it goes back', factsOf(handed));
      await report({ type: 'released' });
      return;
    }
    let lastTalk: Promise<unknown> = Promise.resolve();
    const port: AttemptPort = {
      report,
      tell: (item) => {
        if (item.type === 'log') sayWhereCut(item, factsOf(handed));
        lastTalk = report(item).then(
          (answer) => {
            if (answer.status === 'refused')
              log.warn(`${item.type} was refused`, { ...factsOf(handed), message: answer.message });
          },
          // a line that is lost with the worker is no fault of the job
          () => {},
        );
      },
      onThrown: (error) => log.warn('an attempt ended with an error', { ...factsOf(handed), error: stackOf(error) }),
    };
    const end = await runAttempt(job, handed, port, stop).catch((error: unknown) => {
      log.error('a job could not be run', { ...factsOf(handed), error: stackOf(error) });
      return failureOf(error);
    });
    if (end === null) return;
    await lastTalk;
    await reportEnd(end, report, handed);
  };

  /** A result that the server does not take fails the job, with its reason. */
  const reportEnd = async (end: EndReport, report: (item: Report) => Promise<ReportAnswer>, handed: Handed) => {
    const answer = await report(end);
    if (answer.status !== 'refused') return;
    const { code, message } = answer;
    log.warn('the end of an attempt was refused', { ...factsOf(handed), end: end.type, code, message });
    const failure = failureOf(new JobError(code, message, { retryable: false }));
    const second = await report(failure);
    if (second.status === 'refused')
      log.error('nor was its failure taken', { ...factsOf(handed), message: second.message });
  };

  return {
    take: (handed, reporter) => {
      const { id, attempt, queue, version } = handed;
      const key = keyOf(handed);
      // an answer of the server was lost, and it hands out the same again
      if (hands.has(key)) return;
      for (const hand of hands.values()) if (hand.id === id) hand.stop('lost');
      const stop = new AbortController();
      const end = (reason: StopReason) => {
        if (reason === 'timeout' && !stop.signal.aborted) reportTimeout(handed, reporter, stop);
        stop.abort(new JobStopped(reason));
        if (reason !== 'drain') hands.delete(key);
      };
      hands.set(key, { id, attempt, stop: end });
      running += 1;
      void work(kinds.get(`${queue}@${version}`), handed, reporter, stop)
        .catch((error: unknown) => {
          // the worker was lost: another one runs the job
          if (!(error instanceof JobStopped))
            log.error('a job could not be reported', { ...factsOf(handed), error: stackOf(error) });
        })
        .finally(() => {
          hands.delete(key);
          running -= 1;
          for (const listener of listeners) listener();
        });
    },
    stop: (job, reason) => hands.get(keyOf(job))?.stop(reason),
    stopAll: (reason) => {
      for (const hand of hands.values()) hand.stop(reason);
    },
    list: () => [...hands.values()].map(({ id, attempt }) => ({ id, attempt })),
    busy: () => running,
    onFreed: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const keyOf = ({ id, attempt }: InHand): string => `${id} ${attempt}`;

/** Sends the reports of one job; a stale answer stops it. */
function reportTo(reporter: Reporter, { id, attempt, token }: Handed, stop: AbortController) {
  return async (item: Report): Promise<ReportAnswer> => {
    const answer = await reporter.send({ ...item, job: id, attempt, token });
    if (answer.status === 'stale') stop.abort(new JobStopped('lost'));
    return answer;
  };
}

/** The attempt has failed when its time is over, whenever its run notices. */
function reportTimeout(handed: Handed, reporter: Reporter, stop: AbortController): void {
  const late = new JobError('job_timeout', `The attempt was not done by ${handed.deadline}.`);
  // lost meanwhile: the server knows the deadline by itself
  reportTo(reporter, handed, stop)(failureOf(late)).catch(() => {});
}

const factsOf = ({ id, queue, attempt }: Handed) => ({ job: id, queue, attempt });

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
