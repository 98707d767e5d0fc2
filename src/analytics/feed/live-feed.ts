import { setTimeout as sleep } from 'node:timers/promises';
import { forgetHistory } from '#src/analytics/history/history-store.ts';
import type { Context } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { feeds } from './feeds.ts';

const TEND_MS = 3_600_000;

/** Asks for what the configured feed needs, round by round, and forgets old history; one process does it at a time. */
export function startLiveFeed(context: Context): AsyncDisposable {
  return lead(context, 'feed', async (client, signal) => {
    const { config } = context;
    const { everyMs, open } = feeds[config.FEED];
    const ask = open(context, client);
    let tendedAt = -Infinity;
    while (!signal.aborted) {
      const now = Date.now();
      if (performance.now() - tendedAt > TEND_MS) {
        await forgetHistory(context, config.HISTORY_RETENTION_DAYS);
        tendedAt = performance.now();
      }
      await ask(now);
      await sleep(Math.max(0, now + everyMs(config) - Date.now()), undefined, { signal }).catch(() => {});
    }
  });
}
