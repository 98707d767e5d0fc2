import { AppError } from '#src/lib/errors.ts';
import { isConnectionLost, isTimeout } from '#src/system/postgres/postgres-errors.ts';

/** Checks whether an error says only that a server is away for now, or its disk full. */
export function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unavailable' || error.code === 'storage_full';
  return isConnectionLost(error) || isTimeout(error);
}
