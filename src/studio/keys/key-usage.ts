import { type FragmentSqlToken, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { listKeyChanges } from '#src/access/keys/key-changes.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { KeyUsage } from './key-schemas.ts';

const MOST_LOGS = 100;

const Time = Type.Union([Type.Unsafe<Date>(Type.Any()), Type.Null()]);
const Figures = {
  calls: Type.Integer(),
  failed: Type.Integer(),
  average: Type.Union([Type.Number(), Type.Null()]),
  last: Time,
};
const Stats = Type.Object({ ...Figures, day: Type.Integer(), week: Type.Integer(), first: Time });
const Breakdown = Type.Object({ ...Figures, capability: Type.String() });
const Daily = Type.Object({
  day: Type.String(),
  capability: Type.String(),
  calls: Type.Integer(),
  failed: Type.Integer(),
});
const Logged = Type.Object({
  at: Type.Unsafe<Date>(Type.Any()),
  capability: Type.String(),
  via: Type.Enum(['http', 'mcp']),
  status: Type.Integer(),
  duration_ms: Type.Integer(),
  request_id: Type.String(),
  ip: Type.Union([Type.String(), Type.Null()]),
});

const figures: FragmentSqlToken = sql.fragment`
  count(*) as calls, count(*) filter (where status >= 400) as failed, avg(duration_ms)::float8 as average, max(at) as last`;

/** Counts a key's use from its recorded calls, and reads the changes made to it. Up to about a second old. */
export async function keyUsageOf(context: Context, id: string): Promise<Static<typeof KeyUsage>> {
  const { db, config } = context;
  const [stats, breakdown, byDay, logs, changes] = await Promise.all([
    db.one(sql.type(row(Stats))`
      select ${figures}, count(*) filter (where at > now() - interval '1 day') as day,
        count(*) filter (where at > now() - interval '7 days') as week, min(at) as first
      from calls where key_id = ${id}`),
    db.any(sql.type(row(Breakdown))`
      select capability, ${figures} from calls where key_id = ${id} group by capability order by calls desc, capability`),
    db.any(sql.type(row(Daily))`
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, capability,
        count(*) as calls, count(*) filter (where status >= 400) as failed
      from calls where key_id = ${id} group by day, capability order by day, capability`),
    db.any(sql.type(row(Logged))`
      select at, capability, via, status, duration_ms, request_id, host(ip) as ip
      from calls where key_id = ${id} order by at desc, id desc limit ${MOST_LOGS}`),
    listKeyChanges(context, id, MOST_LOGS),
  ]);
  return {
    stats: {
      totalCalls: stats.calls,
      callsLast24h: stats.day,
      callsLast7d: stats.week,
      succeeded: stats.calls - stats.failed,
      failed: stats.failed,
      averageDurationMs: rounded(stats.average),
      firstCallAt: stats.first?.toISOString() ?? null,
      lastCallAt: stats.last?.toISOString() ?? null,
      retentionDays: config.CALLS_RETENTION_DAYS,
    },
    capabilityBreakdown: breakdown.map(({ capability, calls, failed, average, last }) => ({
      capability,
      calls,
      failed,
      averageDurationMs: rounded(average),
      lastCallAt: last?.toISOString() ?? null,
    })),
    byDay: [...byDay],
    logs: logs.map(({ at, capability, via, status, duration_ms, request_id, ip }) => ({
      at: at.toISOString(),
      capability,
      via,
      status,
      durationMs: duration_ms,
      requestId: request_id,
      ip,
    })),
    changes: changes.map((change) => ({
      at: change.at.toISOString(),
      action: change.action,
      changedBy: change.changed_by,
      changes: change.changes,
      requestId: change.request_id,
    })),
  };
}

/** Milliseconds with one decimal. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}
