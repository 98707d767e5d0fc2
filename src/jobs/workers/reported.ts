import type { QueueContract } from '#queues/define.ts';
import type { Misfit } from '#queues/misfit.ts';
import type { JobError } from '#src/jobs/model/job.ts';
import type { Ended, Failure } from '#src/jobs/run/conclude.ts';
import type { ErrorCode } from '#src/lib/error-codes.ts';
import { storableJson, storableText } from '#src/lib/text/storable.ts';
import type { ReportAnswer } from './report-body.ts';

/** Refuses new work of an owner whose queue is full. */
export type Admit = (caller: { readonly owner: string }, queue: string) => Promise<void>;

/** A report whose job is known, with what its attempt is settled by. */
export interface Reported extends Ended {
  readonly isHeld: boolean;
  /** Lets a child in where its owner's queue has room. @throws AppError `quota_exceeded` */
  readonly admit: Admit;
  readonly startedAt: Date | null;
  /** Shows subscribers how far it is; answers what of it does not fit the contract. */
  readonly emit: (key: string, data: unknown) => Misfit | null;
}

/** Answer to a report of an attempt that is no longer its worker's. */
export const staleAnswer: ReportAnswer = {
  status: 'stale',
  message: 'This attempt is over: the job was cancelled, has ended, or is with another worker. Stop it.',
};

/** The refusal of a report whose value does not fit. */
export function refused(code: ErrorCode, what: string, { path, message }: Misfit): ReportAnswer {
  return { status: 'refused', code, message: `${what}: ${path || '/'} ${message}.`, path };
}

/** The answer to a result that does not fit, and the error that its job ends with. */
export function misfitResult(
  queue: QueueContract,
  wrong: Misfit,
): { readonly answer: ReportAnswer; readonly error: JobError } {
  const answer = refused('invalid_result', `The result of ${queue.name} does not fit its schema`, wrong);
  return { answer, error: { code: 'invalid_result', message: answer.message ?? '', details: { path: wrong.path } } };
}

interface ReportedFailure {
  readonly error: { readonly code?: string; readonly message: string; readonly details?: unknown };
  readonly retryable?: boolean;
}

/** The failure that a report tells of. */
export function failureOf({ error, retryable = true }: ReportedFailure): Failure {
  const { code = 'job_failed', message, details } = error;
  return {
    error: {
      code,
      message: storableText(message),
      ...(details !== undefined && { details: storableJson(details) }),
    },
    retryable,
  };
}
