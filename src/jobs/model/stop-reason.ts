import { AppError } from '#src/lib/errors.ts';

/**
 * Why the attempt at a running job is over before its work has ended. What the work gives then is void: on a drain, or
 * without its payload, the job goes back to its queue; one that was suspended waits already.
 */
export class StopReason extends Error {
  override readonly name = 'StopReason';
  readonly why: 'cancelled' | 'lease_lost' | 'drain' | 'payload_away' | 'suspended';

  constructor(why: StopReason['why']) {
    super(`stopped: ${why}`);
    this.why = why;
  }
}

/** The caller no longer waits for work that runs in its own process: its job is cancelled in the caller's name. */
export class CallerLeft extends AppError {
  /** @param reason the caller's reason, where there is one in words */
  constructor(reason?: unknown) {
    super('cancelled', reason instanceof AppError ? reason.message : 'The caller no longer waits for the turn.');
  }
}
