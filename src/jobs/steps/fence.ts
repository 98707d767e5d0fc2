import { MOST_NAME_CHARACTERS } from '#src/jobs/model/step-bounds.ts';
import { AppError } from '#src/lib/errors.ts';

/** Names the attempt on whose behalf something is written: it counts while the job runs under this claim. */
export interface Fence {
  readonly job: string;
  readonly attempt: number;
  /** Token of the claim. */
  readonly token: string;
}

/** Another attempt holds the job, or it has ended: nothing was written, and the caller stops its work. */
export interface Stale {
  readonly status: 'stale';
}
export const stale: Stale = { status: 'stale' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOST_ATTEMPT = 2 ** 31 - 1;

/** Checks whether a fence can be that of a claim: it goes into arrays of Postgres as it comes. */
export function canHold({ job, attempt, token }: Fence): boolean {
  return UUID.test(job) && UUID.test(token) && Number.isInteger(attempt) && attempt > 0 && attempt <= MOST_ATTEMPT;
}

export function isJobId(id: string): boolean {
  return UUID.test(id);
}

/** @throws AppError `invalid_request` for a name of a step or a signal that cannot be kept. */
export function checkName(what: 'step' | 'signal', name: string): void {
  const isFine = name.length > 0 && name.length <= MOST_NAME_CHARACTERS && name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (isFine) return;
  throw new AppError(
    'invalid_request',
    `name: expected the name of a ${what}, 1 to ${MOST_NAME_CHARACTERS} characters without control characters, got ${JSON.stringify(name.slice(0, 80))}.`,
    { field: 'name' },
  );
}

/** @throws AppError `invalid_request` for a place among the steps that none can have. */
export function checkPlace(after: number): void {
  if (Number.isInteger(after) && after >= 0 && after <= MOST_ATTEMPT) return;
  throw new AppError(
    'invalid_request',
    `after: expected the number of steps that had ended when this one began, a whole number from 0, got ${after}.`,
    { field: 'after', value: after },
  );
}
