import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { SNAPSHOT_FIGURES, type SnapshotFigures } from '#src/analytics/domain/figures/snapshot-schema.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Snapshot = Type.Object({
  symbol: Type.String(),
  asOf: Type.Unsafe<Date>({}),
  knowledgeTime: Type.Unsafe<Date>({}),
  spot: Type.Number(),
  figures: SNAPSHOT_FIGURES,
});
/** The figures of a symbol at an instant, and when they could first be known. */
export type Snapshot = Static<typeof Snapshot>;

const snapshotRow = row(Snapshot);

export interface NewSnapshot {
  readonly symbol: string;
  readonly asOf: Date;
  readonly knowledgeTime: Date;
  readonly spot: number;
  readonly figures: SnapshotFigures;
}

/** Keeps a snapshot of the feed. The first one of an instant is final: what was known then does not change. */
export async function storeSnapshot(
  { db }: Pick<Context, 'db'>,
  { symbol, asOf, knowledgeTime, spot, figures }: NewSnapshot,
): Promise<void> {
  await db.query(sql.unsafe`select make_snapshot_partition(${asOf.toISOString()}::timestamptz)`);
  await db.query(sql.unsafe`
    insert into snapshots (symbol, as_of, knowledge_time, spot, figures)
    values (${symbol}, ${asOf.toISOString()}, ${knowledgeTime.toISOString()}, ${spot}, ${JSON.stringify(figures)}::jsonb)
    on conflict do nothing`);
}

export interface HistoryQuery {
  readonly symbol: string;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** The page begins behind this instant. */
  readonly after?: Date;
  readonly limit: number;
}

/** Snapshots of a symbol, oldest first, at most `limit`. */
export async function readHistory(
  { db }: Pick<Context, 'db'>,
  { symbol, from, to, after, limit }: HistoryQuery,
): Promise<readonly Snapshot[]> {
  const behind = after === undefined ? sql.fragment`` : sql.fragment`and as_of > ${after.toISOString()}`;
  return await db.any(sql.type(snapshotRow)`
    select symbol, as_of as "asOf", knowledge_time as "knowledgeTime", spot, figures from snapshots
    where symbol = ${symbol} and as_of >= ${from.toISOString()} and as_of < ${to.toISOString()} ${behind}
    order by as_of limit ${limit}`);
}

const dailyRow = row(Type.Interface([Snapshot], { day: Type.String() }));
export type DailySnapshot = Static<typeof Snapshot> & { readonly day: string };

/**
 * The last snapshot of each New York day of these symbols in `[from, to)`, by symbol, oldest first. One look-up a day:
 * a day may hold hundreds.
 */
export async function dailySnapshots(
  { db }: Pick<Context, 'db'>,
  symbols: readonly string[],
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly DailySnapshot[]> {
  const [begin, end] = [from.toISOString(), to.toISOString()];
  return await db.any(sql.type(dailyRow)`
    select l.symbol, d.day::date::text as day, l.as_of as "asOf", l.knowledge_time as "knowledgeTime", l.spot, l.figures
    from unnest(${sql.array([...symbols], 'text')}) as s (symbol)
    cross join lateral (
      select min(as_of) at time zone 'America/New_York' as first, max(as_of) at time zone 'America/New_York' as last
      from snapshots where symbol = s.symbol and as_of >= ${begin} and as_of < ${end}
    ) r
    cross join lateral generate_series(date_trunc('day', r.first), r.last, interval '1 day') as d (day)
    cross join lateral (
      select * from snapshots
      where symbol = s.symbol and as_of >= greatest(d.day at time zone 'America/New_York', ${begin}::timestamptz)
        and as_of < least((d.day + interval '1 day') at time zone 'America/New_York', ${end}::timestamptz)
      order by as_of desc limit 1
    ) l
    order by l.symbol, l.as_of`);
}

/** Calendar days that hold 252 sessions and some more. */
const YEAR_DAYS = 400;

/** The time that the trading year before an instant lies in. */
export function yearBefore(at: number): { readonly from: Date; readonly to: Date } {
  return { from: new Date(at - YEAR_DAYS * 86_400_000), to: new Date(at) };
}

/** Forgets whole months that are older than `days`; answers how many. */
export async function forgetHistory({ db }: Pick<Context, 'db'>, days: number): Promise<number> {
  return await db.oneFirst(
    sql.type(row(Type.Object({ n: Type.Integer() })))`select drop_snapshot_partitions(${days} * interval '1 day') as n`,
  );
}
