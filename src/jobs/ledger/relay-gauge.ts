import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const lagRow = row(Type.Object({ lag: Type.Number() }));

/**
 * Fills the lag of the ledger at every scrape, in whatever process: the age of the oldest event that the relay's stored
 * position has not passed. It rises while nobody leads, which a gauge of the leader would not show.
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
