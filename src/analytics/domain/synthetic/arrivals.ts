import type { RandomStream } from '#src/analytics/domain/statistics/random.ts';
import { minuteWeights } from './market-path.ts';

/** Events that one event brings about, on average; below 1, or they would never end. */
const OFFSPRING = 0.55;
/** Mean delay of what an event brings about. */
const DELAY_MS = 20_000;
const MS_PER_MINUTE = 60_000;

/**
 * `count` arrival times of a Hawkes process in a session of that many minutes, in milliseconds after its opening, sorted:
 * immigrants at the U-shaped rate of the session, each with its family of exponential delays; what would come after the
 * close does not come.
 *
 * @see A. G. Hawkes and D. Oakes, "A cluster process representation of a self-exciting process" (1974)
 */
export function hawkesArrivals(random: RandomStream, minutes: number, count: number): Float64Array {
  const times = new Float64Array(count);
  const cumulative = cumulate(minuteWeights(minutes));
  const end = minutes * MS_PER_MINUTE;
  let found = 0;
  while (found < count) {
    const family = [MS_PER_MINUTE * minuteAt(cumulative, random.uniform() * minutes)];
    for (let time = family.pop(); time !== undefined && found < count; time = family.pop()) {
      const at = Math.floor(time);
      if (at >= end) continue;
      times[found++] = at;
      for (let children = poisson(random); children > 0; children--) {
        family.push(time - DELAY_MS * Math.log(random.uniform()));
      }
    }
  }
  return times.toSorted();
}

function cumulate(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((weight) => (sum += weight));
}

/** Finds the minute at which the cumulative weight reaches a value, with the fraction of the minute. */
function minuteAt(cumulative: Float64Array, value: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle]! < value) low = middle + 1;
    else high = middle;
  }
  const before = low === 0 ? 0 : cumulative[low - 1]!;
  return low + Math.min((value - before) / (cumulative[low]! - before), 1);
}

function poisson(random: RandomStream): number {
  const limit = Math.exp(-OFFSPRING);
  let product = random.uniform();
  let count = 0;
  for (; product > limit; count++) product *= random.uniform();
  return count;
}
