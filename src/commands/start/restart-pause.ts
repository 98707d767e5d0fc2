const FIRST_MS = 1_000;
const MOST_MS = 15_000;
const WINDOW_MS = 120_000;
/** Deaths within the window after which a part is given up. */
export const MOST_DEATHS = 5;

/**
 * Pause before a part that ended is started again, ms: 1 s, doubled with each death of the last two minutes, at most
 * 15 s. Null where it has ended so often in that time that it cannot stay up. `deaths` are instants in ms on one clock,
 * oldest first; the last one is now.
 */
export function restartPause(deaths: readonly number[]): number | null {
  const now = deaths.at(-1) ?? 0;
  const recent = deaths.filter((at) => at > now - WINDOW_MS).length;
  return recent >= MOST_DEATHS ? null : Math.min(FIRST_MS * 2 ** (recent - 1), MOST_MS);
}
