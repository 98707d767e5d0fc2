import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const ByCapability = row(
  Type.Object({
    capability: Type.String(),
    via: Type.String(),
    calls: Type.Integer(),
    failed: Type.Integer(),
    p50: Type.Number(),
    p95: Type.Number(),
    lastAt: Type.Unsafe<Date>({}),
  }),
);
const Recent = row(
  Type.Object({
    at: Type.Unsafe<Date>({}),
    via: Type.String(),
    capability: Type.String(),
    status: Type.Integer(),
    durationMs: Type.Integer(),
    requestId: Type.String(),
  }),
);

/** Counts an owner's calls since a time, by capability and way, and lists the newest calls, from the records. */
export async function toolCalls({ db }: Pick<Context, 'db'>, owner: string, hours: number, newest: number) {
  const [byCapability, recent] = await Promise.all([
    db.any(sql.type(ByCapability)`
      select capability, via, count(*) as calls, count(*) filter (where status >= 400) as failed,
        percentile_cont(0.5) within group (order by duration_ms) as p50,
        percentile_cont(0.95) within group (order by duration_ms) as p95, max(at) as "lastAt"
      from calls where owner = ${owner} and at > now() - ${hours} * interval '1 hour'
      group by capability, via order by calls desc, capability, via limit 100`),
    db.any(sql.type(Recent)`
      select at, via, capability, status, duration_ms as "durationMs", request_id as "requestId"
      from calls where owner = ${owner} order by at desc, id desc limit ${newest}`),
  ]);
  return {
    windowHours: hours,
    total: byCapability.reduce((sum, { calls }) => sum + calls, 0),
    failed: byCapability.reduce((sum, { failed }) => sum + failed, 0),
    byCapability: byCapability.map(({ p50, p95, lastAt, ...one }) => ({
      ...one,
      durationMs: { p50: Math.round(p50), p95: Math.round(p95) },
      lastAt: lastAt.toISOString(),
    })),
    recent: recent.map(({ at, ...call }) => ({ at: at.toISOString(), ...call })),
  };
}
