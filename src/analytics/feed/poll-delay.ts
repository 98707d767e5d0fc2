const HOUR_MS = 3_600_000;
/** Longest wait that a server may ask for and gets. */
const MOST_ASKED_MS = 24 * HOUR_MS;

export interface PollOutcome {
  /** Least time between two requests, ms. */
  readonly everyMs: number;
  /** Requests in a row that gave nothing usable. */
  readonly failures: number;
  /** What the server asked for, ms; 0 without. */
  readonly askedMs: number;
}

/**
 * Time until the next request, ms: the interval, doubled with each failure up to an hour, and up to a tenth more, so that
 * many who began together do not stay together; never less than the server asked for, up to a day.
 */
export function pollDelay({ everyMs, failures, askedMs }: PollOutcome, random: () => number = Math.random): number {
  const wait = Math.min(everyMs * 2 ** Math.min(failures, 20), Math.max(everyMs, HOUR_MS));
  return Math.max(Math.round(wait * (1 + random() / 10)), Math.min(askedMs, MOST_ASKED_MS));
}
