/** Failure of a job in the words of its code: what a run throws to say more than a message. */
export class JobError extends Error {
  override readonly name: string = 'JobError';
  /** Code that programs go by, in `snake_case`. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** False where another attempt cannot help: the job fails at once. */
  readonly retryable: boolean;

  constructor(
    code: string,
    message: string,
    {
      details,
      retryable = true,
      cause,
    }: {
      readonly details?: Readonly<Record<string, unknown>> | undefined;
      readonly retryable?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.retryable = retryable;
  }
}

/** Thrown in the function of an effect where it certainly was not done: it may be tried again. */
export class EffectRefused extends Error {
  override readonly name = 'EffectRefused';
}

/** A signal did not come in time. */
export class WaitTimedOut extends JobError {
  override readonly name = 'WaitTimedOut';

  constructor(signal: string) {
    super('wait_timed_out', `expected the signal ${signal} in time, got none.`, {
      details: { signal },
      retryable: false,
    });
  }
}

/** A child ended without a result. */
export class ChildFailed extends JobError {
  override readonly name = 'ChildFailed';
  /** Its id. */
  readonly child: string;
  /** State in which it ended: `failed` or `cancelled`. */
  readonly state: string;
  /** Its error as the API shows it; null where it has none. */
  readonly error: { readonly code?: string; readonly message: string; readonly details?: unknown } | null;

  constructor(name: string, child: string, state: string, error: ChildFailed['error']) {
    const how = state === 'cancelled' ? 'was cancelled' : state;
    super('child_failed', `The child ${name} ${how}${error ? `: ${error.message}` : '.'}`, {
      details: { child, state, error },
      retryable: false,
    });
    this.child = child;
    this.state = state;
    this.error = error;
  }
}

/** Why a run was stopped before its end. */
export type StopReason = 'cancelled' | 'lost' | 'timeout' | 'drain' | 'ended';

const sentences: Readonly<Record<StopReason, string>> = {
  cancelled: 'The job was cancelled.',
  lost: 'The job is no longer this worker’s.',
  timeout: 'The attempt took longer than its contract allows.',
  drain: 'The worker stops; the job goes back without losing an attempt.',
  ended: 'The attempt has ended; what it leaves behind is not waited for.',
};

/** Reason of the signal of a run that is stopped. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(sentences[reason]);
    this.reason = reason;
  }
}

/** The reason that a run was stopped for; undefined where it was not. */
export function stopReasonOf({ aborted, reason }: AbortSignal): StopReason | undefined {
  if (!aborted) return undefined;
  return reason instanceof JobStopped ? reason.reason : 'lost';
}
