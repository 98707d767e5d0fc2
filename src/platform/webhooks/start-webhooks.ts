import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { notifyJobs, sendDeliveries } from './notify-jobs.ts';
import { notifyMissions } from './notify-missions.ts';

const LOOK_MS = 250;

/** Finds ended jobs and missions that have a webhook, in one process at a time. */
export function startWebhooks(context: Context): AsyncDisposable {
  return leadByLock(context, 'webhooks', async (signal) => {
    while (!signal.aborted) {
      const more = [await notifyJobs(context), await notifyMissions(context)].includes(true);
      await sendDeliveries(context);
      if (!more) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  });
}
