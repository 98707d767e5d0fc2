import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others are let in. */
const TURN_MS = 8;

/** Maps items one after the other, and lets the process answer others in between: many may take long together. */
export async function inTurns<T, R>(items: readonly T[], each: (item: T) => R): Promise<R[]> {
  const done: R[] = [];
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > TURN_MS) {
      await setImmediate();
      since = performance.now();
    }
    done.push(each(item));
  }
  return done;
}
