import { AppError } from '#src/lib/errors.ts';

/** Handles the error of a change to a job that may have ended, or moved on, meanwhile: the job then stays as it is. @throws every other error */
export function unlessEnded(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'state_conflict')) throw error;
}
