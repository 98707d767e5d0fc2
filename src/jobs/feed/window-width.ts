/** Narrowest window: a queue whose worker has one hand must not wait for the feeder after each job. */
const NARROWEST = 64;
/** Widest window, in times the capacity of its workers: what comes to a full one waits behind all of it. */
const WIDEST = 32;
/** Feedings that a window is to last for, at the rate at which jobs leave it: it is filled anew when half of it is gone. */
const FEEDINGS = 4;
/** Least time that it is to last for, ms: a process may be held up. */
const LEAST_MS = 50;
/** Time over which the rate is smoothed, ms: workers take in batches. */
const SMOOTH_MS = 200;
/** Weight of the newest time between two feedings in its mean. */
const NEWEST = 0.3;

/** Width of a window from pass to pass. */
export interface WindowWidth {
  /**
   * Notes that the window has `carried` jobs at `at` (ms, of one clock), and answers how many it may have where live workers
   * take `capacity` at once.
   */
  readonly at: (at: number, carried: number, capacity: number) => number;
  /** Notes how many jobs were fed since the last look. */
  readonly fed: (jobs: number) => void;
}

/**
 * Keeps a window so wide that workers do not run dry between two feedings, and no wider: twice the `capacity` of its
 * workers, or what they take meanwhile. Where a window runs dry, what is taken is what was fed, and it widens until it does not.
 */
export function openWidth(): WindowWidth {
  let before: { readonly at: number; readonly jobs: number } | undefined;
  let fedSince = 0;
  /** Jobs a ms. */
  let rate = 0;
  let feedingMs = 0;
  return {
    at: (at, carried, capacity) => {
      if (before && at > before.at) {
        const passed = at - before.at;
        // more, where jobs came to it otherwise: that is not known here
        const taken = Math.max(0, before.jobs + fedSince - carried);
        // with the passes of all other lines, and the rest after them
        if (fedSince > 0) feedingMs += NEWEST * (passed - feedingMs);
        rate += (1 - Math.exp(-passed / SMOOTH_MS)) * (taken / passed - rate);
      }
      before = { at, jobs: carried };
      fedSince = 0;
      const narrow = Math.max(NARROWEST, 2 * capacity);
      const lasting = rate * Math.max(LEAST_MS, feedingMs * FEEDINGS);
      return Math.round(Math.max(narrow, Math.min(WIDEST * capacity, lasting)));
    },
    fed: (jobs) => {
      fedSince = jobs;
    },
  };
}
