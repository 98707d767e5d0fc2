import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { formats } from './endpoints/event-types.ts';

/** Most deliveries that a scrape counts. */
const MOST = 100_000;

const WaitingRow = row(Type.Object({ failing: Type.Boolean(), n: Type.Integer() }));
const SecondsRow = row(Type.Object({ seconds: Type.Number() }));
const FailingRow = row(Type.Object({ n: Type.Integer(), longest: Type.Number() }));

/** Fills the gauges of notifications at every scrape, by indexes of what is not over. */
export function gaugeNotifications(context: Context): void {
  const { db, metrics } = context;
  // `increase()` does not see the first step of a series that begins with it
  for (const format of formats)
    for (const outcome of ['delivered', 'retried', 'failed'])
      metrics.proofline_notification_attempts_total.inc({ format, outcome }, 0);
  const { proofline_notifications_waiting: waiting, proofline_notification_overdue_seconds: overdue } = metrics;
  fillGauges(context, [waiting], async () => {
    const found = await db.any(sql.type(WaitingRow)`
      select p.failures > 0 as failing, count(*) as n from (
        (select endpoint from webhook_deliveries where state = 'pending' limit ${MOST})
        union all (select endpoint from webhook_deliveries where state = 'sending')
      ) d join webhook_endpoints p on p.id = d.endpoint group by failing`);
    for (const [name, failing] of [['taking', false] as const, ['failing', true] as const])
      waiting.set({ endpoint: name }, found.find((one) => one.failing === failing)?.n ?? 0);
  });
  fillGauges(context, [overdue], async () => {
    const { seconds } = await db.one(sql.type(SecondsRow)`
      select coalesce(extract(epoch from clock_timestamp() - min(o.next_at)), 0)::float8 as seconds
      from webhook_endpoints p cross join lateral (
        select d.next_at from webhook_deliveries d where d.endpoint = p.id and d.state = 'pending' order by d.next_at limit 1
      ) o where p.enabled and p.failures = 0 and o.next_at <= now()`);
    overdue.set(Math.max(0, seconds));
  });
  const lag = metrics.proofline_notification_lag_seconds;
  fillGauges(context, [lag], async () => {
    const { seconds } = await db.one(sql.type(SecondsRow)`
      select coalesce((
        select greatest(0, extract(epoch from clock_timestamp() - e.at)) from events e
        where e.xid >= (select pg_snapshot_xmax(position::pg_snapshot) from notification_cursors where name = 'ledger')
        order by e.xid, e.seq limit 1
      ), 0)::float8 as seconds`);
    lag.set(seconds);
  });
  const { proofline_endpoints_failing: failing, proofline_endpoint_failing_longest_seconds: longest } = metrics;
  fillGauges(context, [failing, longest], async () => {
    const found = await db.one(sql.type(FailingRow)`
      select count(*) as n, coalesce(extract(epoch from clock_timestamp() - min(failing_since)), 0)::float8 as longest
      from webhook_endpoints where failing_since is not null and enabled`);
    failing.set(found.n);
    longest.set(Math.max(0, found.longest));
  });
}
