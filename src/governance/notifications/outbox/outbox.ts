import type { Client } from 'pg';
import type { Position } from '#src/jobs/ledger/relay-position.ts';
import { readNewEvents } from '#src/jobs/ledger/relay-read.ts';
import type { Context } from '#src/system/context.ts';
import { positionNow, readCursor, storeCursor, storedPosition, storePosition } from './cursor.ts';
import type { NotableEvent } from './event.ts';
import { readJobEvents } from './job-events.ts';
import { type Audience, readAudience } from './match.ts';
import { readMissionEvents, readNotices, readOwnerEvents } from './other-events.ts';
import { writeDeliveries } from './write-deliveries.ts';

/** A source of events that does not lie in Postgres. */
export interface EventSource {
  readonly name: string;
  /**
   * Events behind a cursor, and the cursor behind them. Without one, or with one of a history that is gone, it begins
   * with what comes next.
   */
  readonly read: (
    context: Context,
    cursor: string | null,
  ) => Promise<{ readonly events: readonly NotableEvent[]; readonly cursor: string }>;
}

/** Longest time for which the list of endpoints is believed, ms: their makers may lose their rights meanwhile. */
const AUDIENCE_MS = 3_000;
/** Least time between two writes of a position, ms. */
const STORE_MS = 250;

/** Turns events into deliveries, from where it stopped. One process at a time; a second one would do no harm. */
export interface Outbox {
  /** One look; answers the number of deliveries that it wrote or found. */
  readonly look: () => Promise<number>;
  /** Endpoints that were enabled at the newest look. */
  readonly audience: () => Audience | null;
  /** Stores the position for the next process. */
  readonly close: () => Promise<void>;
}

export async function openOutbox(
  context: Context,
  client: Client,
  sources: readonly EventSource[] = [],
): Promise<Outbox> {
  // as the relay: without statistics the planner would sort the whole ledger
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off');
  let { epoch } = await readRevision(client);
  let position = (await storedPosition(client, epoch)) ?? (await positionNow(client));
  let stored: Position | null = null;
  let storedAt = 0;
  const cursors = new Map<string, string | null>();
  for (const { name } of sources) cursors.set(name, await readCursor(client, name));
  let known: { readonly audience: Audience; readonly revision: string; readonly at: number } | null = null;

  /** Endpoints as they are after the events that were just read: one that was made before an event gets it. */
  const audienceNow = async (revision: string): Promise<Audience> => {
    if (known?.revision === revision && performance.now() - known.at < AUDIENCE_MS) return known.audience;
    known = { audience: await readAudience(context), revision, at: performance.now() };
    return known.audience;
  };

  const store = async () => {
    if (stored === position) return;
    await storePosition(client, epoch, position);
    stored = position;
    storedAt = performance.now();
  };

  /** The endpoints of this moment. Read behind events, never before them. */
  const newestAudience = async (): Promise<Audience> => await audienceNow((await readRevision(client)).revision);

  const write = async (events: readonly NotableEvent[]): Promise<number> =>
    events.length === 0 ? 0 : await writeDeliveries(context, await newestAudience(), events);

  const readLedger = async (): Promise<number> => {
    // before the list: an endpoint that is not in it yet is made behind this position
    const now = await positionNow(client);
    const audience = await newestAudience();
    if (audience.size === 0) {
      position = now;
      return 0;
    }
    const from = position;
    let count = 0;
    // without an endpoint for jobs their ledger, which may be long, is passed over
    if (ownersOfJobs(audience)?.length === 0) position = now;
    else
      position = await readNewEvents(client, from, async (events) => {
        const owners = ownersOfJobs(await newestAudience());
        if (owners?.length !== 0) count += await write(await readJobEvents(context, events, owners));
      });
    const span = { from, to: position.snapshot };
    for (const read of [readOwnerEvents, readMissionEvents, readNotices])
      count += await write(await read(context, span));
    return count;
  };

  const look = async (): Promise<number> => {
    const state = await readRevision(client);
    if (epoch !== '' && state.epoch !== epoch) {
      context.log.warn(
        { epoch: state.epoch },
        'the database has another history; endpoints are notified of what comes',
      );
      position = await positionNow(client);
    }
    ({ epoch } = state);
    let count = await readLedger();
    for (const { name, read } of sources) {
      const { events, cursor } = await read(context, cursors.get(name) ?? null);
      count += await write(events);
      if (cursor !== cursors.get(name)) await storeCursor(client, name, '', cursor);
      cursors.set(name, cursor);
    }
    // behind the deliveries, never before them: a crash between them reads events again and loses none
    if (performance.now() - storedAt > STORE_MS) await store();
    return count;
  };

  return { look, audience: () => known?.audience ?? null, close: store };
}

/** Owners of whom an endpoint wants events of jobs or flows; null for all. */
function ownersOfJobs(audience: Audience): readonly string[] | null {
  const [jobs, flows] = [audience.ownersOf('job'), audience.ownersOf('flow')];
  return jobs === null || flows === null ? null : [...new Set([...jobs, ...flows])];
}

async function readRevision(client: Client): Promise<{ readonly revision: string; readonly epoch: string }> {
  const { rows } = await client.query<{ revision: string; epoch: string }>(
    `select revision::text, coalesce((select epoch from relay), '') as epoch from webhook_revision`,
  );
  return rows[0] ?? { revision: '0', epoch: '' };
}
