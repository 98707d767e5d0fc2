import { AppError } from '#src/lib/errors.ts';
import { reasonOf } from '#src/system/logging/outage.ts';

/** Worst last: a warning is something to look at, a fault is something that does not work. `skipped` could not be told. */
export const statuses = ['ok', 'skipped', 'warning', 'fault'] as const;
export type Status = (typeof statuses)[number];

/** One line of `proofline doctor`. */
export interface Finding {
  /** Subject of the line: `Postgres`, `Redis eviction`. */
  readonly check: string;
  readonly status: Status;
  /** Sentence with what was found and, where something is wrong, what to do. It never has a secret in it. */
  readonly says: string;
}

const of =
  (status: Status) =>
  (check: string, says: string): Finding => ({ check, status, says });

export const ok = of('ok');
export const skipped = of('skipped');
export const warning = of('warning');
export const fault = of('fault');

/**
 * Makes a fault of an error. Only errors of ours are sentences that say what to do; of any other it says why in a few
 * words, and adds the advice.
 */
export function failed(check: string, error: unknown, advice: string): Finding {
  return fault(check, error instanceof AppError ? error.message : `${reasonOf(error)}: ${advice}`);
}
