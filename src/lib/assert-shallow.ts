import { AppError } from './errors.ts';

/** Most levels of objects and lists in a body. JSON Schemas of tools, the deepest that clients send, have a dozen. */
export const MOST_LEVELS = 100;

/** Checks whether JSON has at most {@link MOST_LEVELS} levels of objects and lists. */
export function isShallow(body: unknown): boolean {
  // level by level, without recursion
  let level: readonly object[] = isNested(body) ? [body] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) return false;
    level = level.flatMap((value) => Object.values(value).filter(isNested));
  }
  return true;
}

/**
 * Refuses JSON that is nested deeper than {@link MOST_LEVELS}: what walks it by recursion would run out of stack.
 *
 * @throws AppError `invalid_request`
 */
export function assertShallow(body: unknown): void {
  if (isShallow(body)) return;
  const message = `body: expected JSON of at most ${MOST_LEVELS} levels of objects and lists, got a deeper one.`;
  throw new AppError('invalid_request', message, { field: 'body' });
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
