import { describeDiskFull } from './disk-full.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ErrorReason, ReasonedCode } from './error-reasons.ts';
import { isRedisAway } from './redis-away.ts';

export type ErrorDetails = Readonly<Record<string, unknown>>;

declare const known: unique symbol;

/** Details that came with an error of the same code: the reason is among them where the code has several. */
export type KnownDetails = ErrorDetails & { readonly [known]: true };

/** Details of an error that was kept as JSON, or came from another process. */
export const knownDetails = (details: object | null | undefined): KnownDetails => (details ?? {}) as KnownDetails;

type Reasoned = {
  [Code in ReasonedCode]: [
    code: Code,
    message: string,
    details: ErrorDetails & { readonly reason: ErrorReason<Code> },
    cause?: unknown,
  ];
}[ReasonedCode];

/** An error names its case where its code covers several: it does not compile without. */
type Parts =
  | Reasoned
  | [code: Exclude<ErrorCode, ReasonedCode>, message: string, details?: ErrorDetails, cause?: unknown]
  | [code: ErrorCode, message: string, details: KnownDetails, cause?: unknown];

/**
 * The one error this system throws on purpose: a code from {@link errorCodes}, a sentence for the person who gets it
 * (`expected X, got Y`, and what to do), details for machines, and the cause. Neither carries a secret or a path.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: KnownDetails;

  constructor(...[code, message, details, cause]: Parts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = knownDetails(details);
  }
}

/** Checks whether trying the same thing again can help. Errors we did not foresee (bugs, lost connections) may pass. */
export function isRetryable(error: unknown): boolean {
  return error instanceof AppError ? errorCodes[error.code].retryable : true;
}

/** The code and sentence an owner may see: ours as they are, a full disk and an absent Redis as such, anything else as `internal` without its text. */
export function describeError(error: unknown): { code: ErrorCode; message: string; details: KnownDetails } {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  const diskFull = describeDiskFull(error);
  if (diskFull !== undefined) return { code: 'storage_full', message: diskFull, details: knownDetails(null) };
  if (isRedisAway(error))
    return {
      code: 'unavailable',
      message: 'Redis does not answer; try again in a few seconds.',
      details: knownDetails(null),
    };
  return {
    code: 'internal',
    message: 'Something failed on our side; it has been logged. Try again, or report the request id.',
    details: knownDetails(null),
  };
}
