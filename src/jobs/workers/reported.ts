import type { Ended } from '#src/jobs/run/conclude.ts';

/** A report whose job is known, with what its attempt is settled by. */
export interface Reported extends Ended {
  readonly isHeld: boolean;
  readonly startedAt: Date | null;
}
