import type { ReportAnswer } from '../story/reports.ts';
import { type AddressedReport, type LaneOptions, openLane } from './lane.ts';
import type { WorkerLog } from './worker-log.ts';

export interface Reporter {
  /** Sends a report; tried again until it is answered. Rejects with a `JobStopped` once the worker is lost. */
  readonly send: (report: AddressedReport) => Promise<ReportAnswer>;
  /** Ends sending. */
  readonly close: () => void;
}

export interface ReporterOptions extends LaneOptions {
  readonly log: WorkerLog;
  /** Called with outcomes of effects that this worker can report no more: they count, whichever worker reports them. */
  readonly onOrphan: (outcome: AddressedReport) => void;
}

/** Lines and progress of all jobs that wait to be sent; what comes then is dropped, and said so once. */
const mostTalk = 10_000;

const dropped: ReportAnswer = { status: 'refused', code: 'dropped', message: 'More was said than could be sent.' };

/**
 * Sends reports, one request of a kind in flight. Talk (progress and lines) goes beside what stories wait for, so that
 * neither holds up the other.
 */
export function openReporter({ log, onOrphan, ...options }: ReporterOptions): Reporter {
  const talk = openLane(options);
  const keep = openLane(options);
  let hasWarned = false;
  let isClosed = false;
  return {
    send: async (report) => {
      if (isClosed && isOutcome(report)) onOrphan(report);
      if (report.type !== 'progress' && report.type !== 'log') return await keep.push(report);
      const older = report.type === 'progress' ? talk.replace(report) : undefined;
      if (older) return await older;
      if (talk.waiting() < mostTalk) return await talk.push(report);
      if (!hasWarned) log.warn('jobs say more than can be sent: lines are dropped', { job: report.job });
      hasWarned = true;
      return dropped;
    },
    close: () => {
      isClosed = true;
      talk.close();
      for (const report of keep.close().filter(isOutcome)) onOrphan(report);
    },
  };
}

const isOutcome = ({ type }: AddressedReport): boolean => type === 'effect_done' || type === 'effect_failed';
