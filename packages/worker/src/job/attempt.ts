import { ProoflineError } from '@proofline/client';
import { JobError, JobStopped, stopReasonOf } from '../errors/job-error.ts';
import { passThrough } from '../schema/schema.ts';
import { jsonCopy } from '../story/json-copy.ts';
import type { EndReport, LogLevel, ReportedFailure, StoredStep, TalkReport } from '../story/reports.ts';
import { openStory, type StoryPort } from '../story/story.ts';
import type { AnyJob, JobLog, RunContext } from './define-job.ts';

/** A job as a worker is handed it. */
export interface Handed {
  readonly id: string;
  readonly queue: string;
  readonly version: number;
  readonly attempt: number;
  readonly token: string;
  readonly payload: unknown;
  readonly created_at: string;
  readonly deadline: string;
  readonly failures: number;
  /** None for a job without any. */
  readonly steps?: readonly StoredStep[];
  readonly trace?: string | null;
  /** Least level of lines that are kept; all without it. */
  readonly log_level?: LogLevel;
}

export interface AttemptPort extends StoryPort {
  /** Sends what the run says; waits for nothing. */
  readonly tell: (item: TalkReport) => void;
  /** Called with what a run threw that was not stopped, for the log of the worker: its stack is not reported. */
  readonly onThrown?: (error: unknown) => void;
}

/** One for all attempts: none is to blame, and an error of its own for each costs its stack. */
const ended = new JobStopped('ended');

/**
 * Runs one attempt of a job to the report that ends it.
 *
 * @param stop aborted from outside with a `JobStopped`, and here as soon as the attempt has ended
 * @returns null where there is nothing to report: the job was cancelled or lost, or its time was reported
 */
export async function runAttempt(
  job: AnyJob,
  handed: Handed,
  port: AttemptPort,
  stop: AbortController,
): Promise<EndReport | null> {
  const { signal } = stop;
  const story = openStory(handed.steps ?? [], port, signal);
  const run = async (): Promise<EndReport> => {
    const payload = await payloadOf(job, handed);
    const facts = {
      id: handed.id,
      queue: handed.queue,
      version: handed.version,
      createdAt: new Date(handed.created_at),
      deadline: new Date(handed.deadline),
      failures: handed.failures,
      trace: handed.trace ?? null,
    };
    const context: RunContext<never, never> = {
      ...story.steps,
      payload: payload as never,
      job: facts,
      attempt: handed.attempt,
      progress: (data, key) =>
        port.tell({ type: 'progress', data: jsonCopy<unknown>(data, 'progress'), ...(key !== undefined && { key }) }),
      log: logOf(port, handed.log_level),
      signal,
    };
    const result = await resultOf(job, await job.run(context));
    const diverged = story.divergence();
    return diverged ? failureOf(diverged) : { type: 'succeeded', result };
  };
  const end = await Promise.race([
    run().catch((error: unknown) => {
      if (stopReasonOf(signal) === undefined) port.onThrown?.(error);
      return endOf(error, signal);
    }),
    story.suspended,
    story.broken.then((error) => failureOf(error)),
  ]);
  const reason = stopReasonOf(signal);
  // whatever the run still does: its attempt has ended
  stop.abort(ended);
  return reason === undefined || reason === 'drain' ? end : null;
}

/** A run that throws because its worker stops has not failed. */
function endOf(error: unknown, signal: AbortSignal): EndReport {
  return stopReasonOf(signal) === undefined ? failureOf(error) : { type: 'released' };
}

/** The failure that an error stands for, as it is reported. */
export function failureOf(error: unknown): Extract<EndReport, { type: 'failed' }> {
  return { type: 'failed', error: describe(error), retryable: isRetryable(error) };
}

/** Bounds of what is reported of a failure, and of a line. */
const bounds = { failure: 4_000, line: 10_000, code: /^[a-z][a-z0-9_]{0,63}$/ };

function describe(error: unknown): ReportedFailure {
  const { message, name } = error instanceof Error ? error : { message: String(error), name: 'Error' };
  const sentence = (message || name).slice(0, bounds.failure);
  if (!(error instanceof JobError || error instanceof ProoflineError)) return { message: sentence };
  return {
    ...(bounds.code.test(error.code) && { code: error.code }),
    message: sentence,
    ...(error instanceof JobError && error.details && { details: jsonSafe(error.details) }),
  };
}

function isRetryable(error: unknown): boolean {
  return error instanceof JobError || error instanceof ProoflineError ? error.retryable : true;
}

/** Details as JSON says them; what it cannot say is left out, because the failure itself must be reported. */
function jsonSafe(details: unknown): unknown {
  try {
    return jsonCopy(details, 'details');
  } catch {
    return { unreadable: true };
  }
}

async function payloadOf(job: AnyJob, { payload, version }: Handed): Promise<unknown> {
  const steps = job.upcasts.filter(({ from }) => from >= version).toSorted((a, b) => a.from - b.from);
  const newest = steps.reduce<unknown>((older, { upcast }) => upcast(older as never), payload);
  const passed = await passThrough(job.payload, newest);
  if ('value' in passed) return passed.value;
  throw new JobError('invalid_payload', `The payload does not fit the schema of ${job.name}: ${passed.fault}`, {
    retryable: false,
  });
}

async function resultOf(job: AnyJob, result: unknown): Promise<unknown> {
  const passed = await passThrough(job.result, result);
  if ('value' in passed) return jsonCopy(passed.value, 'the result');
  throw new JobError('invalid_result', `The result does not fit the schema of ${job.name}: ${passed.fault}`, {
    retryable: false,
  });
}

/** A line within the bounds of a report; a longer one ends with the number of characters that it lacks. */
function lineOf(message: string): string {
  if (message.length <= bounds.line) return message;
  // without half of a pair at the cut
  const kept = message.slice(0, bounds.line - 40).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (${(message.length - kept.length).toLocaleString('en')} characters more)`;
}

const weights: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

function logOf(port: AttemptPort, least: LogLevel = 'debug'): JobLog {
  const write =
    (level: LogLevel) =>
    (message: string, data?: Readonly<Record<string, unknown>>): void => {
      if (weights[level] < weights[least]) return;
      port.tell({
        type: 'log',
        level,
        message: lineOf(message),
        // a line never fails a job
        ...(data !== undefined && { data: jsonSafe(data) as typeof data }),
      });
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
