import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { SNAPSHOT_FIGURES, type SnapshotFigures } from './domain/snapshot-schema.ts';

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

/** Keeps a snapshot of the feed. The first one of an instant stands: what was known then does not change. */
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

const shareRow = row(Type.Object({ share: Type.Number() }));

/** Stabilising shares of the last snapshot of each of the 252 New York days before today's, oldest first. */
export async function dailyRawShares({ db }: Pick<Context, 'db'>, symbol: string): Promise<readonly number[]> {
  const shares = await db.anyFirst(sql.type(shareRow)`
    select share from (
      select distinct on (day) day, share from (
        select (as_of at time zone 'America/New_York')::date as day, as_of, (figures->'dsi_raw_share')::float8 as share
        from snapshots
        where symbol = ${symbol} and as_of > now() - interval '400 days' and figures->'dsi_raw_share' <> 'null'
      ) s where day < (now() at time zone 'America/New_York')::date order by day desc, as_of desc
    ) d order by day desc limit 252`);
  return shares.toReversed();
}

/** Forgets whole months that are older than `days`; answers how many. */
export async function forgetHistory({ db }: Pick<Context, 'db'>, days: number): Promise<number> {
  return await db.oneFirst(
    sql.type(row(Type.Object({ n: Type.Integer() })))`select drop_snapshot_partitions(${days} * interval '1 day') as n`,
  );
}
