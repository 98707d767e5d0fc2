import { AppError } from '#src/lib/errors.ts';

/** Why a running job was stopped from outside. Its work is void, except on a drain, where it goes back to its queue. */
export class StopReason extends Error {
  override readonly name = 'StopReason';
  readonly why: 'cancelled' | 'lease_lost' | 'drain';

  constructor(why: StopReason['why']) {
    super(`stopped: ${why}`);
    this.why = why;
  }
}

/** Nobody waits any more for work that runs where it was asked for: its job is cancelled in their name. */
export class CallerLeft extends AppError {
  /** @param reason why, where somebody has put it in words */
  constructor(reason?: unknown) {
    super('cancelled', reason instanceof AppError ? reason.message : 'Nobody waits for the turn any more.');
  }
}
