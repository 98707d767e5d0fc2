/**
 * Robust z of a value in a sample: (x − median)/(1.4826·MAD), signed. Null where the sample has fewer than three values
 * or half of it is one value (MAD 0), where no z is defined.
 *
 * @see B. Iglewicz, D. Hoaglin, How to Detect and Handle Outliers (1993)
 */
export function robustZ(value: number, sample: readonly number[]): number | null {
  if (sample.length < 3) return null;
  const centre = median(sample);
  const mad = median(sample.map((entry) => Math.abs(entry - centre)));
  return mad > 0 ? (value - centre) / (1.4826 * mad) : null;
}

/** Sums of standardised values above and below what is expected; both at least zero. */
export interface Cusum {
  readonly up: number;
  readonly down: number;
}

/** Half the shift to be found, in standard deviations. */
const ALLOWANCE = 0.5;
/** One wild value is the robust z's business: it must not alarm as a drift, too. */
const CLIP = 3;

/** The sums after one more standardised value. An alarm is a sum above h (5 in analytics.md 2.12); restart from zero then. */
export function cusumStep({ up, down }: Cusum, z: number): Cusum {
  const value = Math.max(-CLIP, Math.min(CLIP, z));
  return { up: Math.max(0, up + value - ALLOWANCE), down: Math.max(0, down - value - ALLOWANCE) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
