/** Schedules that one owner may have where no limit is set for it. */
export const MOST_SCHEDULES = 100_000;
