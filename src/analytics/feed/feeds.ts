import type { Client } from 'pg';
import type { Config } from '#src/system/config/config.ts';
import type { Context } from '#src/system/context.ts';
import { openFolderFeed } from './folder-feed.ts';
import { openPolledFeed } from './polled-feed.ts';
import { openSyntheticFeed } from './synthetic-feed.ts';

/** What drives the live market. One process asks, in rounds; jobs do the work. */
export interface Feed {
  /** Time between two rounds, ms. */
  readonly everyMs: (config: Config) => number;
  /** What is asked for in a round at a time of the clock (epoch ms); made anew by each process that begins to ask. */
  readonly open: (context: Context, client: Client) => (now: number) => Promise<void>;
}

const LOOK_MS = 1_000;
const REST_MS = 60_000;

/** Every feed, by the word of the setting `FEED`. */
export const feeds: Readonly<Record<Config['FEED'], Feed>> = {
  synthetic: { everyMs: ({ FEED_TICK_MS }) => FEED_TICK_MS, open: openSyntheticFeed },
  cboe: { everyMs: () => LOOK_MS, open: openPolledFeed },
  files: { everyMs: () => LOOK_MS, open: openFolderFeed },
  none: { everyMs: () => REST_MS, open: () => async () => {} },
};
