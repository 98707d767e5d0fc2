import { JobError } from '../errors/job-error.ts';

/** Bounds of one job, as servers have them. */
export const bounds = { steps: 10_000, stepBytes: 1 << 20, jobBytes: 64 << 20, nameCharacters: 200 };

/** @throws JobError `invalid_request` for a name that no server keeps, so that it is refused in a test as it is live */
export function assertName(name: unknown): void {
  const { nameCharacters: most } = bounds;
  if (
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= most &&
    !/\p{Surrogate}/u.test(name) &&
    !/\p{Cc}/u.test(name)
  )
    return;
  const message = `name: expected the name of a step, 1 to ${most} characters without control characters, got ${JSON.stringify(String(name).slice(0, 80))}.`;
  throw new JobError('invalid_request', message, { retryable: false });
}
