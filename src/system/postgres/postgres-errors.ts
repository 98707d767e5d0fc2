/** SQLSTATE of an error or of what caused it, as far as the chain goes. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    // each has a digit; EPIPE, which is none, has five letters too
    if ('code' in at && typeof at.code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(at.code)) return at.code;
  }
  return undefined;
}

function names(error: unknown): string {
  const parts: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    parts.push(at.name, at.constructor.name, at.message, 'code' in at ? String(at.code) : '');
  }
  return parts.join(' ');
}

/** The values themselves are refused: class 22 (data), 23 (constraints), 54 (limits). Another value may pass. */
export function isDataError(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return /^(22|23|54)/.test(state);
  // what the driver refuses before it sends
  return /InvalidInputError|UnexpectedStateError|InputSyntaxError/.test(names(error));
}

/** A row with the same unique value is there. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** The statement took too long; a smaller one may not. */
export function isTimeout(error: unknown): boolean {
  return sqlState(error) === '57014' || /StatementTimeoutError|StatementCancelledError/.test(names(error));
}

/** The server or the way to it is gone, or asks us to come again: whether the statement took effect is unknown. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  // 25006: read only, as a primary is that became a standby
  if (state) return /^(08|53|57P|40|25P0[34]|25006)/.test(state) || isPlanOutdated(error, state);
  return /ConnectionError|BackendTerminated|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|terminat|Connection|connection|timeout/.test(
    names(error),
  );
}

/** A prepared statement whose columns a migration gave another type: on a new connection it is prepared anew. */
function isPlanOutdated(error: unknown, state: string): boolean {
  // by the routine: the message comes in the server's language
  return state === '0A000' && error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
}
