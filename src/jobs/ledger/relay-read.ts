import type { Client } from 'pg';
import type { Position } from './relay-position.ts';

export interface NewEvent {
  readonly job: string;
  readonly n: number;
  /** Seconds since 1970. */
  readonly at: number;
}

/** The first row of a look is the snapshot it was made under, the others are events. */
type Look = readonly [now: string, xmax: string, open: string[]];
type Seen = readonly [now: null, xmax: null, open: null, job: string, n: number, at: number, late: boolean];

interface Found extends NewEvent {
  readonly xid_text: string;
  readonly seq_text: string;
}

const PAGE = 10_000;

/*
 * New since the last look is what a later snapshot sees and the last one did not: rows of transactions that had not
 * begun then (xid >= its xmax), or were still open (its list). Ordering or filtering by a sequence alone would skip
 * rows that commit late; waiting for the oldest open transaction would let one idle writer stop every stream.
 * With the snapshot in every row the driver spent more on it than on the events.
 */
const difference = {
  name: 'relay-difference',
  rowMode: 'array' as const,
  text: `
    with s as materialized (select pg_current_snapshot() as now)
    select now::text, pg_snapshot_xmax(now)::text, array(select x::text from pg_snapshot_xip(now) x),
      null::uuid as job, null::int as n, null::float8 as at, null::bool as late
    from s
    union all
    select null, null, null, job, n, extract(epoch from at)::float8, late from (
      (select *, true as late from events where xid = any($2::text[]::xid8[]) order by xid, seq limit ${PAGE})
      union all
      (select *, false from events where xid >= $1::text::xid8 order by xid, seq limit ${PAGE})
    ) e`,
};

const snapshotNow = {
  name: 'relay-snapshot',
  rowMode: 'array' as const,
  text: `
    with s as materialized (select pg_current_snapshot() as now)
    select now::text, pg_snapshot_xmax(now)::text, array(select x::text from pg_snapshot_xip(now) x) from s`,
};

const pageOf = (which: string) => `
  select job, n, at, xid, seq from events
  where ${which} and (xid, seq) > ($3::text::xid8, $4::bigint) and pg_visible_in_snapshot(xid, $5::text::pg_snapshot)
    and ($6::uuid[] is null or job = any($6))
  order by xid, seq limit ${PAGE}`;

// `xid` and `seq` are selected as text under other names, since `order by` would otherwise sort the text
const differencePage = {
  name: 'relay-page',
  text: `
    select job, n, extract(epoch from at)::float8 as at, xid::text as xid_text, seq::text as seq_text
    from ((${pageOf('xid = any($2::text[]::xid8[])')}) union all (${pageOf('xid >= $1::text::xid8')})) e
    order by xid, seq limit ${PAGE}`,
};

/**
 * Hands everything that became visible since `position` to `take`, page by page, and answers the position after it.
 * Whatever the backlog, no more than two pages are in memory.
 *
 * A page is in the order of each job's numbers. Across pages that order is broken only where two transactions were open
 * at once and changed a job in the other order than that of their ids, and a page ends between them; a follower
 * then meets a gap and reads the ledger. (Sorting the whole difference instead needs memory without bound.)
 */
export async function readNewEvents(
  client: Client,
  position: Position,
  take: (events: readonly NewEvent[]) => Promise<void>,
): Promise<Position> {
  const { rows } = await client.query<Look | Seen>({ ...difference, values: [position.xmax, position.open] });
  const [look, ...seen] = rows as [Look | undefined, ...Seen[]];
  if (!look) throw new Error('expected the current snapshot, got no row');
  const [now, xmax, open] = look;
  const next: Position = { snapshot: now, xmax, open };
  if (seen.length === 0) return now === position.snapshot ? position : next;
  const late = seen.reduce((count, [, , , , , , isLate]) => count + (isLate ? 1 : 0), 0);
  if (late < PAGE && seen.length - late < PAGE) {
    await take(inOrder(seen.map(([, , , job, n, at]) => ({ job, n, at }))));
    return next;
  }
  // A limit filled: the snapshot must not move, so page on to the one that this look was made under.
  await takePages(client, position, next.snapshot, take);
  return next;
}

/**
 * As {@link readNewEvents}, but hands over the events of wanted jobs alone, and passes the others unread. `wanted` is asked
 * for them once it is settled up to where is read, so that who begins to listen after it finds the rest in the
 * ledger; null wants all. `take` hears which of both it was.
 */
export async function readWantedEvents(
  client: Client,
  position: Position,
  wanted: () => Promise<readonly string[] | null>,
  take: (events: readonly NewEvent[], isWanted: boolean) => Promise<void>,
): Promise<Position> {
  const { rows } = await client.query<Look>(snapshotNow);
  const [look] = rows;
  if (!look) throw new Error('expected the current snapshot, got no row');
  const [snapshot, xmax, open] = look;
  if (snapshot === position.snapshot) return position;
  const jobs = await wanted();
  if (!jobs) return await readNewEvents(client, position, (events) => take(events, false));
  const takeWanted = (events: readonly NewEvent[]) => take(events, true);
  if (jobs.length > 0) await takePages(client, position, snapshot, takeWanted, jobs);
  return { snapshot, xmax, open };
}

async function takePages(
  client: Client,
  { xmax, open }: Position,
  target: string,
  take: (events: readonly NewEvent[]) => Promise<void>,
  jobs: readonly string[] | null = null,
): Promise<void> {
  let after = { xid_text: '0', seq_text: '0' };
  for (;;) {
    const values = [xmax, open, after.xid_text, after.seq_text, target, jobs];
    const { rows } = await client.query<Found>({ ...differencePage, values });
    const last = rows.at(-1);
    if (last) await take(inOrder(rows.map(({ job, n, at }) => ({ job, n, at }))));
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

function inOrder(events: readonly NewEvent[]): NewEvent[] {
  return events.toSorted((a, b) => (a.job < b.job ? -1 : a.job > b.job ? 1 : a.n - b.n));
}
