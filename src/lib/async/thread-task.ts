import { AppError, describeError } from '#src/lib/errors.ts';

type Failure = { failure: ReturnType<typeof describeError> };

/** Wraps a thread task so that an AppError crosses to the main thread as data, with its code. Other errors are bugs and throw. */
export function threadTask<I, O>(
  task: (input: I) => O,
): (input: I) => O | Failure | (O extends Promise<infer R> ? Promise<R | Failure> : never) {
  return (input) => {
    try {
      const result = task(input);
      return result instanceof Promise ? (result.catch(failureOf) as never) : result;
    } catch (error) {
      return failureOf(error);
    }
  };
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) throw error;
  return { failure: describeError(error) };
}
