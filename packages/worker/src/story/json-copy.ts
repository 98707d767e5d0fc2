import { JobError } from '../errors/job-error.ts';

/**
 * A value as a later attempt would read it back: through JSON, `undefined` as null. So a first run sees the same as a
 * repeated one.
 *
 * @throws JobError `invalid_value`, not retryable, for what JSON cannot say
 */
export function jsonCopy<T>(value: T, place: string): T {
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
