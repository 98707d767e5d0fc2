import { AppError } from '#src/lib/errors.ts';

/** Why a running job was stopped from outside. Its work is void; on a drain, or without its payload, it goes back to its queue. */
export class StopReason extends Error {
  override readonly name = 'StopReason';
  readonly why: 'cancelled' | 'lease_lost' | 'drain' | 'payload_away';

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
