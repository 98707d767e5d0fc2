/** Waits; rejects with the reason of the signal as soon as it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let stop = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      stop = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', stop);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Longest pause between two tries, ms. */
const longest = 30_000;

/** Pause before the next try: doubled with each, drawn from its upper half so that clients do not come back together. */
export function backoff(firstMs: number, failures: number): number {
  const whole = Math.min(longest, firstMs * 2 ** failures);
  return whole / 2 + Math.random() * (whole / 2);
}

/** Milliseconds that `Retry-After` names, as seconds or as a date; undefined without one that can be read. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
