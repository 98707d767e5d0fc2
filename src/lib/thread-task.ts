import { AppError, describeError } from './errors.ts';

/** Wraps a thread task so that an AppError crosses to the main thread as data, with its code. Other errors are bugs and throw. */
export function threadTask<I, O>(
  task: (input: I) => O,
): (input: I) => O | { failure: ReturnType<typeof describeError> } {
  return (input) => {
    try {
      return task(input);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { failure: describeError(error) };
    }
  };
}
