import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { type Admit, PAGE, runDue } from './run-due.ts';

/** Milliseconds between two looks: as much as a run may come too late on an idle machine. */
const LOOK_MS = 100;

/**
 * Starts what submits the jobs of schedules at their times, in one process at a time.
 *
 * @param clock another clock than that of Postgres, for time that goes faster
 */
export function startSchedules(context: Context, admit: Admit, clock?: () => Date): AsyncDisposable {
  return leadByLock(context, 'schedules', async (signal) => {
    while (!signal.aborted) {
      const found = await runDue(context, admit, clock?.());
      if (found < PAGE) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  });
}
