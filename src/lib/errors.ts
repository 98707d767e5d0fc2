import { describeDiskFull } from './disk-full.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The one error this system throws on purpose: a code from {@link errorCodes}, a sentence for the person who gets it
 * (`expected X, got Y`, and what to do), details for machines, and the cause. Neither carries a secret or a path.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** Whether trying the same thing again can help. Errors we did not foresee (bugs, lost connections) may pass. */
export function isRetryable(error: unknown): boolean {
  return error instanceof AppError ? errorCodes[error.code].retryable : true;
}

/** The code and sentence an owner may see: ours as they are, a full disk as such, anything else as `internal` without its text. */
export function describeError(error: unknown): { code: ErrorCode; message: string; details: ErrorDetails } {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  const diskFull = describeDiskFull(error);
  if (diskFull !== undefined) return { code: 'storage_full', message: diskFull, details: {} };
  return {
    code: 'internal',
    message: 'Something failed on our side; it has been logged. Try again, or report the request id.',
    details: {},
  };
}
