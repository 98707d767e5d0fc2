import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { forgetHistory } from '#src/analytics/history/history-store.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { openFolderFeed } from './folder-feed.ts';
import { openPolledFeed } from './polled-feed.ts';
import { openSyntheticFeed } from './synthetic-feed.ts';

/** Source that drives the live market. One process requests chains, in rounds; jobs do the work. */
interface Feed {
  /** Time between two rounds, ms. */
  readonly everyMs: (config: Config) => number;
  /** Opens the requests of one round at a time of the clock (epoch ms); called anew by each process that takes over. */
  readonly open: (context: Context, client: Client) => (now: number) => Promise<void>;
}

const LOOK_MS = 1_000;
const REST_MS = 60_000;

/** Every feed, by the word of the setting `FEED`. */
const feeds: Readonly<Record<Config['FEED'], Feed>> = {
  synthetic: { everyMs: ({ FEED_TICK_MS }) => FEED_TICK_MS, open: openSyntheticFeed },
  cboe: { everyMs: () => LOOK_MS, open: openPolledFeed },
  files: { everyMs: () => LOOK_MS, open: openFolderFeed },
  none: { everyMs: () => REST_MS, open: () => async () => {} },
};

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
