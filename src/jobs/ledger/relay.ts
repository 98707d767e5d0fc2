import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { eventNews } from '#src/system/event-news.ts';
import { lead } from '#src/system/leader.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openHeardJobs } from './heard-jobs.ts';
import { publishEvents } from './publish-events.ts';
import { openPosition, type Position, savePosition } from './relay-position.ts';
import { type NewEvent, readWantedEvents } from './relay-read.ts';

const lagRow = row(Type.Object({ lag: Type.Number() }));

/**
 * Fills the lag of the ledger at every scrape, in whatever process: the age of the oldest event that the relay's stored
 * position has not passed. It rises while no process leads, which a gauge of the leader would not show.
 */
export function gaugeRelay({ db, metrics, log }: Context): void {
  const gauge = metrics.proofline_ledger_lag_seconds;
  const collect = async () => {
    try {
      gauge.set(
        await db.oneFirst(sql.type(lagRow)`
          select coalesce((
            select greatest(0, extract(epoch from clock_timestamp() - e.at)) from events e
            where e.xid >= (select pg_snapshot_xmax(position) from relay) order by e.xid, e.seq limit 1
          ), 0)::float8 as lag`),
      );
    } catch (error) {
      // a scrape while Postgres is away must still show everything else
      log.debug({ err: error }, 'the lag of the ledger was not read');
    }
  };
  Object.assign(gauge, { collect });
}

const BUSY_MS = 2;
/** Most milliseconds for which it rests after a look, as long as that took. */
const MOST_PAUSE_MS = 10;
/** Most milliseconds between two looks: as much as an event may come too late of which no news came. */
const IDLE_MS = 20;
const SAVE_MS = 250;

/** Takes all events while any process follows it. */
export interface Listener {
  /** Checks whether all events are to be read for it; those up to now are passed over where not. */
  readonly isFollowed: () => Promise<boolean>;
  /** Must be quick, and must not throw. */
  readonly take: (events: readonly NewEvent[]) => void;
}

/** Opened by the leader, for as long as `signal` lasts. */
type Listen = (context: Context, signal: AbortSignal) => Listener;

const noListener: Listener = { isFollowed: async () => false, take: () => {} };

/**
 * Publishes the new events of the ledger. One process leads at a time; the others stand by. Events reach Redis in
 * order of `n` per job, at least once: after a change of leaders some come twice, which followers notice by `n`.
 */
export function startRelay(context: Context, listen: Listen = () => noListener): AsyncDisposable {
  return lead(context, 'relay', async (client, signal) => {
    context.metrics.proofline_relay_leader.set(1);
    const done = new AbortController();
    try {
      await follow(context, client, signal, listen(context, AbortSignal.any([signal, done.signal])));
    } finally {
      done.abort();
      context.metrics.proofline_relay_leader.set(0);
    }
  });
}

/** Waits for news that events were written, or as long as a look may be away. */
function openNews(context: Context, signal: AbortSignal): Disposable & { readonly next: () => Promise<void> } {
  let isNew = false;
  let wake = () => {};
  const hear = () => {
    isNew = true;
    wake();
  };
  signal.addEventListener('abort', hear, { once: true });
  const hearing = eventNews(context).hear(hear);
  return {
    next: async () => {
      if (!isNew)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, IDLE_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      isNew = false;
    },
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', hear);
      hearing[Symbol.dispose]();
    },
  };
}

async function follow(context: Context, client: Client, signal: AbortSignal, listener: Listener): Promise<void> {
  // on a table without statistics the planner sorts everything: seconds instead of milliseconds
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off');
  const token = randomUUID();
  const { epoch, position: start } = await openPosition(context, client, token);
  let position: Position = start;
  let savedAt = performance.now();
  let saved: Position = start;
  using news = openNews(context, signal);
  const heardJobs = openHeardJobs(context);
  while (!signal.aborted) {
    const lookedAt = performance.now();
    let found = 0;
    const wanted = async () => {
      // Redis away: all are read, and those that are lost make followers begin anew
      const [isFollowed, heard] = await Promise.all([listener.isFollowed().catch(() => true), heardJobs()]);
      return isFollowed ? null : heard;
    };
    const take = async (events: readonly NewEvent[], isHeard: boolean) => {
      // a long backlog must neither hold up a stop nor be published by a process that no longer leads
      signal.throwIfAborted();
      found += events.length;
      await publishEvents(context, epoch, events, isHeard);
      if (!isHeard) listener.take(events);
    };
    position = await readWantedEvents(client, position, wanted, take);
    // the cursor moves after the publication, never before: a crash between them repeats events and loses none
    if (position !== saved && performance.now() - savedAt > SAVE_MS) {
      if (!(await savePosition(context, client, token, position))) throw new Error('another relay leads');
      saved = position;
      savedAt = performance.now();
    }
    // a look that took long means a busy machine, which the next one should not make busier
    const tookMs = Math.min(MOST_PAUSE_MS, performance.now() - lookedAt);
    await sleep(Math.max(BUSY_MS, tookMs), undefined, { signal }).catch(() => {});
    if (found === 0) await news.next();
  }
  // a clean hand-over: the next leader starts where we stopped
  await savePosition(context, client, token, position).catch(() => false);
}
