import { AppError } from './errors.ts';

/** Most levels of objects and lists in a body. JSON Schemas of tools, the deepest that clients send, have a dozen. */
const mostLevels = 100;

/**
 * Refuses JSON that is nested deeper than {@link mostLevels}: what walks it by recursion would run out of stack.
 *
 * @throws AppError `invalid_request`
 */
export function assertShallow(body: unknown): void {
  // level by level, without recursion
  let level: readonly object[] = isNested(body) ? [body] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > mostLevels) {
      const message = `body: expected JSON of at most ${mostLevels} levels of objects and lists, got a deeper one.`;
      throw new AppError('invalid_request', message, { field: 'body' });
    }
    level = level.flatMap((value) => Object.values(value).filter(isNested));
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
