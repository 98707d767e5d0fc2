import { isConnectionLost, isTimeout } from '#src/system/postgres/postgres-errors.ts';

/**
 * Whether an error that nobody expected is of the line at which it showed, and no other line would meet it: not where a
 * server of ours has gone away, after which the batch goes on later.
 */
export function isOwnFault(error: unknown): boolean {
  if (isConnectionLost(error) || isTimeout(error)) return false;
  // how the client of Redis says that it has tried long enough
  return !(error instanceof Error && error.name === 'MaxRetriesPerRequestError');
}
