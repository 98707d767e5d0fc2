import { backoff, ProoflineError, pause } from '@proofline/client';
import { aborted, deferred } from '../async/deferred.ts';
import { JobStopped } from '../errors/job-error.ts';
import type { Report, ReportAnswer } from '../story/reports.ts';

/** A report of an attempt, with its fence. */
export type AddressedReport = Report & { readonly job: string; readonly attempt: number; readonly token: string };

export interface LaneOptions {
  /** Sends reports that are JSON each; gives their answers in order. */
  readonly post: (texts: readonly string[]) => Promise<readonly ReportAnswer[]>;
  /** Called where the server does not know the worker, or refuses its key; closes the lane. */
  readonly onLost: (error: ProoflineError) => void;
  /** Called where reports were not answered, before they are sent again. */
  readonly onRetry: (error: ProoflineError, failures: number) => void;
}

/** Reports of one kind: while one request is in flight, others gather for the next. */
export interface Lane {
  /** Gives the answer, however often it takes to get one. Rejects with a `JobStopped` once the lane is closed. */
  readonly push: (report: AddressedReport) => Promise<ReportAnswer>;
  /** Number of reports that are not sent yet. */
  readonly waiting: () => number;
  /** Puts progress into the place of an older one that is not sent yet; undefined where there is none. */
  readonly replace: (report: AddressedReport) => Promise<ReportAnswer> | undefined;
  /** Ends sending; gives the reports that were not answered. */
  readonly close: () => readonly AddressedReport[];
}

interface Item {
  report: AddressedReport;
  text: string;
  readonly settle: (answer: ReportAnswer) => void;
  readonly fail: (error: Error) => void;
}

const mostReports = 1_000;
const mostBytes = 1 << 20;

export function openLane({ post, onLost, onRetry }: LaneOptions): Lane {
  const queue: Item[] = [];
  const newest = new Map<string, { readonly item: Item; readonly answer: Promise<ReportAnswer> }>();
  let inFlight: readonly Item[] = [];
  let isPumping = false;
  const closed = new AbortController();

  const pump = async (): Promise<void> => {
    isPumping = true;
    // what is reported in one turn goes together
    await Promise.resolve();
    while (queue.length > 0 && !closed.signal.aborted) {
      inFlight = takeBatch(queue);
      newest.clear();
      await deliver(inFlight);
      if (!closed.signal.aborted) inFlight = [];
    }
    isPumping = false;
  };

  /**
   * Sends a batch until it is answered. A wrong report is refused alone; a request that is refused whole (one that is too
   * large, or that the server fails on) goes in halves.
   */
  const deliver = async (batch: readonly Item[]): Promise<void> => {
    for (let failures = 0; !closed.signal.aborted; failures += 1) {
      const outcome = await post(batch.map(({ text }) => text)).catch(refusalOf);
      if (!(outcome instanceof ProoflineError)) {
        for (const [index, item] of batch.entries()) item.settle(outcome[index] ?? unanswered);
        return;
      }
      if (strangers.has(outcome.status)) {
        onLost(outcome);
        await aborted(closed.signal);
      } else if (passes(outcome, failures, batch.length)) {
        onRetry(outcome, failures + 1);
        const ms = (outcome.retryAfterMs ?? 0) + backoff(50, Math.min(failures, 6));
        // closed meanwhile: the loop ends
        await pause(ms, closed.signal).catch(() => {});
      } else {
        const [first, second] = batch;
        const { code, message } = outcome;
        if (second === undefined) first?.settle({ status: 'refused', code, message });
        else {
          await deliver(batch.slice(0, batch.length >> 1));
          await deliver(batch.slice(batch.length >> 1));
        }
        return;
      }
    }
  };

  return {
    push: async (report) => {
      if (closed.signal.aborted) throw new JobStopped('lost');
      const { promise: answer, resolve: settle, reject: fail } = deferred<ReportAnswer>();
      const item = { report, text: JSON.stringify(report), settle, fail };
      queue.push(item);
      if (report.type === 'progress') newest.set(progressOf(report), { item, answer });
      if (!isPumping) void pump();
      return await answer;
    },
    waiting: () => queue.length,
    replace: (report) => {
      const older = newest.get(progressOf(report));
      if (older) Object.assign(older.item, { report, text: JSON.stringify(report) });
      return older?.answer;
    },
    close: () => {
      closed.abort();
      // a part of what is in flight may have been answered: nothing more is heard of that
      const left = [...inFlight, ...queue.splice(0)];
      for (const { fail } of left) fail(new JobStopped('lost'));
      return left.map(({ report }) => report);
    },
  };
}

/** Statuses by which the server says that it does not know the worker, or its key. */
const strangers: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Failures of the server on our reports, after which it is one of them that it fails on. */
const mostFaults = { together: 2, alone: 5 };

/** Tells whether the same batch may be taken later. */
function passes({ retryable, status }: ProoflineError, failures: number, size: number): boolean {
  if (status !== 500) return retryable;
  return retryable && failures < (size > 1 ? mostFaults.together : mostFaults.alone);
}

const unanswered: ReportAnswer = { status: 'refused', code: 'unanswered', message: 'The server gave no answer to it.' };

function refusalOf(error: unknown): ProoflineError {
  if (error instanceof ProoflineError) return error;
  return new ProoflineError(String(error), { code: 'unreadable_answer', cause: error });
}

/** Takes the oldest reports, as many as a request may carry; at least one. */
function takeBatch(queue: Item[]): readonly Item[] {
  let size = 0;
  const end = queue.findIndex(({ text }, index) => {
    size += text.length;
    return index > 0 && (index === mostReports || size > mostBytes);
  });
  return queue.splice(0, end === -1 ? queue.length : end);
}

function progressOf({ job, attempt, ...report }: AddressedReport): string {
  return `${job} ${attempt} ${report.type === 'progress' ? (report.key ?? '') : ''}`;
}
