import type { Client } from 'pg';
import type { Position } from './relay-position.ts';

export interface NewEvent {
  readonly job: string;
  readonly n: number;
  /** Seconds since 1970. */
  readonly at: number;
}

interface Look {
  readonly now: string;
  readonly xmax: string;
  readonly open: string[];
}

interface Found extends NewEvent {
  readonly late: boolean;
  readonly xid_text: string;
  readonly seq_text: string;
}

const PAGE = 10_000;

/*
 * New since the last look is what a later snapshot sees and the last one did not: rows of transactions that had not
 * begun then (xid >= its xmax), or were still open (its list). Ordering or filtering by a sequence alone would skip
 * rows that commit late; waiting for the oldest open transaction would let one idle writer stop every stream.
 * `xid` and `seq` are selected as text under other names, since `order by` would otherwise sort the text. The first row
 * is the look itself, the others are events: with the snapshot in every row the driver spent more on it than on them.
 */
const difference = {
  name: 'relay-difference',
  text: `
    with s as materialized (select pg_current_snapshot() as now)
    select now::text as now, pg_snapshot_xmax(now)::text as xmax, array(select x::text from pg_snapshot_xip(now) x) as open,
      null::uuid as job, null::int as n, null::float8 as at, null::bool as late, null::text as xid_text, null::text as seq_text
    from s
    union all
    select null, null, null, job, n, extract(epoch from at)::float8, late, xid::text, seq::text from (
      (select *, true as late from events where xid = any($2::text[]::xid8[]) order by xid, seq limit ${PAGE})
      union all
      (select *, false from events where xid >= $1::text::xid8 order by xid, seq limit ${PAGE})
    ) e`,
};

const page = (name: string, which: string) => ({
  name,
  text: `
    select job, n, extract(epoch from at)::float8 as at, xid::text as xid_text, seq::text as seq_text from events
    where ${which} and (xid, seq) > ($2::text::xid8, $3::bigint) and pg_visible_in_snapshot(xid, $4::text::pg_snapshot)
    order by xid, seq limit ${PAGE}`,
});
const latePage = page('relay-late-page', 'xid = any($1::text[]::xid8[])');
const newPage = page('relay-new-page', 'xid >= $1::text::xid8');

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
  const { rows: found } = await client.query<Look | Found>({ ...difference, values: [position.xmax, position.open] });
  const [look, ...rows] = found as [Look | undefined, ...Found[]];
  if (!look) throw new Error('expected the current snapshot, got no row');
  const next: Position = { snapshot: look.now, xmax: look.xmax, open: look.open };
  if (rows.length === 0) return look.now === position.snapshot ? position : next;
  const late = rows.reduce((count, row) => count + (row.late ? 1 : 0), 0);
  if (late < PAGE && rows.length - late < PAGE) {
    await take(inOrder(rows));
    return next;
  }
  // A limit filled: the snapshot must not move, so page on to the one that this look was made under.
  await takePages(client, latePage, position.open, next.snapshot, take);
  await takePages(client, newPage, position.xmax, next.snapshot, take);
  return next;
}

async function takePages(
  client: Client,
  query: ReturnType<typeof page>,
  which: string | readonly string[],
  target: string,
  take: (events: readonly NewEvent[]) => Promise<void>,
): Promise<void> {
  let after = { xid_text: '0', seq_text: '0' };
  for (;;) {
    const { rows } = await client.query<Found>({ ...query, values: [which, after.xid_text, after.seq_text, target] });
    const last = rows.at(-1);
    if (last) await take(inOrder(rows));
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

function inOrder(rows: readonly Found[]): NewEvent[] {
  const events = rows.map(({ job, n, at }) => ({ job, n, at }));
  return events.toSorted((a, b) => (a.job < b.job ? -1 : a.job > b.job ? 1 : a.n - b.n));
}
