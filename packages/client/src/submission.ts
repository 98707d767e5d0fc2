import { type Duration, milliseconds } from './duration.ts';

export interface SubmitOptions {
  /** The same key gives the same job; without one each call is a job of its own. */
  readonly idempotencyKey?: string;
  /** Version of the contract. */
  readonly version?: number;
  /** Start not before then. */
  readonly runAt?: Date | string;
  /** Start not before so long from now. */
  readonly delay?: Duration;
  /** A job that has not begun by then is cancelled. */
  readonly expiresAt?: Date | string;
  /** 0 runs first, 1000 last. */
  readonly priority?: number;
  /** Group for fair shares. */
  readonly group?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** Body of a submit, as the server reads it. */
export function submissionOf(
  payload: unknown,
  { version, runAt, delay, expiresAt, priority, group, metadata }: SubmitOptions,
): Readonly<Record<string, unknown>> {
  return {
    payload,
    ...(version !== undefined && { version }),
    ...(runAt !== undefined && { run_at: instantOf(runAt) }),
    ...(delay !== undefined && { delay_ms: milliseconds(delay) }),
    ...(expiresAt !== undefined && { expires_at: instantOf(expiresAt) }),
    ...(priority !== undefined && { priority }),
    ...(group !== undefined && { group }),
    ...(metadata !== undefined && { metadata }),
  };
}

const instantOf = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString());
