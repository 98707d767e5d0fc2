import { setTimeout as sleep } from 'node:timers/promises';
import { noteBudgets } from '#src/governance/budgets/budget-notices.ts';
import type { Context } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { openAlerts } from './alerts/note-alerts.ts';
import { dispatchDue, recoverDeliveries } from './deliveries/dispatch.ts';
import { noteJobEnds } from './job-webhooks.ts';
import { keepSecrets } from './keep-secrets.ts';
import { type EventSource, openOutbox } from './outbox/outbox.ts';

/** Time between two looks while there is something to deliver, while there are endpoints, and while there is none. */
const BUSY_MS = 20;
const LOOK_MS = 100;
const IDLE_MS = 500;
/** Time between two looks at what moves slowly: budgets, and deliveries whose process has died. */
const SLOW_MS = 2_000;
/** Time between two looks at what alerts are about: each costs a look at every job that waits. */
const ALERTS_MS = 15_000;
/** Rest after a look at jobs with webhooks of their own, as a multiple of the time that it took. */
const REST = 4;

/**
 * Turns events into deliveries and hands these to jobs, in one process at a time. What fails is tried again at the next
 * look, and holds up nothing else.
 */
export function startNotifications(context: Context, sources: readonly EventSource[] = []): AsyncDisposable {
  return lead(context, 'notifications', async (client, signal) => {
    const outbox = await openOutbox(context, client, sources);
    const attempt = async (what: string, work: () => Promise<unknown>) => {
      await work().catch(async (error: unknown) => {
        if (!signal.aborted) await logFailure(context, error, {}, `${what}; it is tried again`);
      });
    };
    let slowAt = 0;
    let endsAt = 0;
    let alertsAt = 0;
    const alerts = openAlerts(context);
    while (!signal.aborted) {
      // its connection is lost with it: another leader goes on
      await outbox.look();
      if (performance.now() >= endsAt) {
        const begun = performance.now();
        await attempt('ends of jobs were not noted', () => noteJobEnds(context));
        // many jobs with webhooks that wait make it a longer look, and then a rarer one
        endsAt = performance.now() + (performance.now() - begun) * REST;
      }
      if (performance.now() - slowAt > SLOW_MS) {
        slowAt = performance.now();
        const owners = outbox.audience()?.ownersOf('budget');
        if (owners?.length !== 0) await attempt('budgets were not looked at', () => noteBudgets(context));
        await attempt('deliveries without a job were not looked at', () => recoverDeliveries(context));
        await attempt('secrets were not kept under the present pepper', () => keepSecrets(context));
      }
      if (performance.now() >= alertsAt && outbox.audience()?.ownersOf('alert')?.length !== 0) {
        await attempt('alerts were not looked for', () => alerts.look(Date.now()));
        alertsAt = performance.now() + ALERTS_MS;
      }
      let batches = 0;
      await attempt('deliveries were not handed over', async () => void (batches = await dispatchDue(context)));
      const pauseMs = batches > 0 ? BUSY_MS : (outbox.audience()?.size ?? 0) > 0 ? LOOK_MS : IDLE_MS;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
    await outbox.close();
  });
}
