/**
 * Delay before try number `failures` + 1, in ms: capped exponential with full jitter, uniform in [0, min(cap, base * 2^(failures - 1))].
 *
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ ("full jitter")
 */
export function backoffMs(failures: number, baseMs: number, capMs: number, random: () => number = Math.random): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30)));
}
