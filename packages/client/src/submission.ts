import { type Duration, milliseconds } from './duration.ts';
import { type Approval, type Budget, termsBody } from './terms.ts';
import type { Unique } from './unique.ts';

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
  /** Decision that it waits for before it runs, beside that of its contract; true: for no reason but that you want one. */
  readonly approval?: Approval | true;
  /** Money that is reserved before it runs: no more than its contract has. */
  readonly budget?: Pick<Budget, 'jobUsd'>;
  /** True where its end is sealed and anchored; as its contract has it without it. */
  readonly receipt?: boolean;
  /** Receiver that is notified of its end: an address, or one of your endpoints. */
  readonly webhook?: { readonly url: string } | { readonly endpoint: string };
  /** Makes it the only one of its key in the queue. */
  readonly unique?: Unique;
  /** Ids of jobs of yours that have to end before it begins. */
  readonly dependsOn?: readonly string[];
  /** Fate of this job where one of those does not succeed: it fails without having run (the default), or runs all the same. */
  readonly onFailure?: 'fail' | 'continue';
  readonly signal?: AbortSignal;
}

/** Body of a submit, as the server reads it. */
export function submissionOf(
  payload: unknown,
  {
    version,
    runAt,
    delay,
    expiresAt,
    priority,
    group,
    metadata,
    approval,
    budget,
    receipt,
    webhook,
    ...order
  }: SubmitOptions,
): Readonly<Record<string, unknown>> {
  const { unique, dependsOn, onFailure } = order;
  return {
    payload,
    ...(version !== undefined && { version }),
    ...(runAt !== undefined && { run_at: instantOf(runAt) }),
    ...(delay !== undefined && { delay_ms: milliseconds(delay) }),
    ...(expiresAt !== undefined && { expires_at: instantOf(expiresAt) }),
    ...(priority !== undefined && { priority }),
    ...(group !== undefined && { group }),
    ...(metadata !== undefined && { metadata }),
    ...(webhook && { webhook }),
    ...(unique && { unique }),
    ...(dependsOn && { depends_on: dependsOn }),
    ...(onFailure !== undefined && { on_failure: onFailure }),
    ...termsBody({
      ...(approval !== undefined && { approval }),
      ...(budget && { budget }),
      ...(receipt !== undefined && { receipt }),
    }),
  };
}

const instantOf = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString());
