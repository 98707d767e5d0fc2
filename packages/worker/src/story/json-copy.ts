import { JobError } from '../errors/job-error.ts';

/**
 * A value as a later attempt would read it back: through JSON, `undefined` as null. So a first run sees the same as a
 * repeated one.
 *
 * @throws JobError `invalid_value`, not retryable, for what JSON cannot say
 */
export function jsonCopy<T>(value: T, place: string): T {
  const kind = unsayable(value);
  if (kind !== undefined)
    throw new JobError('invalid_value', `${place}: expected a value that JSON can say, got ${kind}.`, {
      retryable: false,
    });
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as T;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new JobError('invalid_value', `${place}: expected a value that JSON can say, got another (${reason}).`, {
      retryable: false,
      cause,
    });
  }
}

/** Names the kind of a value that JSON would quietly make nothing of. */
function unsayable(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Symbol.asyncIterator in value) return 'an async generator, or another stream';
  return Symbol.iterator in value && 'next' in value ? 'a generator' : undefined;
}
