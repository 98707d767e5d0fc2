import type { Versioned } from '#src/jobs/broker/broker-names.ts';
import { QUIET_MS, setQuietLane } from '#src/jobs/broker/quiet-lane.ts';
import type { Context } from '#src/system/context.ts';

/** Most places before the line for one group in a stretch: more than that is no longer next to nothing. */
const MOST_EACH = 16;
/** Time after which it is said anew, ms. */
const ANEW_MS = 500;
/** Time over which is counted how fast the line moves, ms. */
const COUNTED_MS = 1_000;

/**
 * Opens the lane before a line, from pass to pass: groups that are not in line may bring half as many jobs as the line
 * moves on in that time, each no more than its share of that.
 *
 * @returns a function of the groups in line, or null where nothing may go before it, and of the jobs that were fed
 */
export function openLane(
  context: Context,
  line: Versioned,
): (lined: readonly string[] | null, fed: number) => Promise<void> {
  const own = { ...line, suspect: false };
  let said = '';
  let saidAt = -Infinity;
  let count = 0;
  let countedAt = performance.now();
  let perStretch = 0;
  const rate = (fed: number) => {
    count += fed;
    const ms = performance.now() - countedAt;
    if (ms < COUNTED_MS) return perStretch;
    perStretch = (count * QUIET_MS) / ms;
    count = 0;
    countedAt = performance.now();
    return perStretch;
  };
  return async (lined, fed) => {
    const moved = rate(fed);
    const all = Math.max(1, Math.floor(moved / 2));
    const lane = lined && { each: Math.max(1, Math.min(MOST_EACH, Math.floor(all / (lined.length + 1)))), all, lined };
    const text = JSON.stringify(lane);
    const isOld = performance.now() - saidAt > ANEW_MS;
    if (text === said && (!lane || !isOld)) return;
    await setQuietLane(context, own, lane);
    said = text;
    saidAt = performance.now();
  };
}
