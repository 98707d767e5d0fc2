import { type Duration, milliseconds } from '@proofline/client';
import { JobError } from '../errors/job-error.ts';

/** Greatest time that a date can have, ms from 1970. */
const lastMs = 8_640_000_000_000_000;

/** Milliseconds of a length of time that a job has given. @throws JobError `invalid_time`, which no retry can mend */
export function lengthOf(what: string, time: Duration): number {
  try {
    const ms = milliseconds(time);
    if (Date.now() + ms <= lastMs) return ms;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw wrong(`${what}: ${error.message}.`, error);
  }
  throw wrong(`${what}: expected a length of time that ends before the last date there is, got ${time}.`);
}

/** Milliseconds since 1970 of a date at which a wait is to end. @throws JobError `invalid_time`, which no retry can mend */
export function instantOf(name: string, date: Date): number {
  const ms = date.getTime();
  if (!Number.isNaN(ms)) return ms;
  throw wrong(`${name}: expected a date, got one that is none (Invalid Date).`);
}

function wrong(message: string, cause?: unknown): JobError {
  return new JobError('invalid_time', message, { retryable: false, cause });
}
