import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type AnalysisQuery, ofMode, since } from './window.ts';

const nullable = Type.Union([Type.Number(), Type.Null()]);
const ByState = row(Type.Object({ kind: Type.String(), state: Type.String(), count: Type.Integer() }));
const Area = row(Type.Object({ area: Type.String(), count: Type.Integer() }));
const Latency = row(
  Type.Object({
    decided: Type.Integer(),
    p50: nullable,
    p95: nullable,
    oldest: nullable,
    soon: Type.Integer(),
  }),
);

/** Analyzes approvals: how many wait for a decision, how long decisions took, and which areas they were about. */
export async function analyzeApprovals({ db }: Pick<Context, 'db'>, query: AnalysisQuery) {
  const from = sql.fragment`approvals a left join studio_plans p on p.id = a.subject
    where a.owner = ${query.owner} and a.created_at > ${since(query)} and ${ofMode(query)}`;
  const state = sql.fragment`case when a.state in ('pending', 'granted') and a.expires_at <= now() then 'expired' else a.state end`;
  const waits = sql.fragment`a.state = 'pending' and a.expires_at > now()`;
  const [states, areas, latency] = await Promise.all([
    db.any(sql.type(ByState)`select a.kind, ${state} as state, count(*) from ${from} group by 1, 2 order by 1, 2`),
    db.any(sql.type(Area)`
      select area ->> 'area' as area, count(*) from (select a.areas from ${from}) found, jsonb_array_elements(areas) area
      group by 1 order by 1`),
    db.one(sql.type(Latency)`
      select count(a.decided_at) as decided,
        percentile_cont(0.5) within group (order by extract(epoch from a.decided_at - a.created_at)) as p50,
        percentile_cont(0.95) within group (order by extract(epoch from a.decided_at - a.created_at)) as p95,
        max(extract(epoch from now() - a.created_at)) filter (where ${waits})::float8 as oldest,
        count(*) filter (where ${waits} and a.expires_at < now() + interval '1 hour') as soon
      from ${from}`),
  ]);
  return {
    figures: {
      byState: states,
      byArea: areas,
      decided: latency.decided,
      decisionSeconds: { p50: latency.p50, p95: latency.p95 },
      oldestPendingSeconds: latency.oldest,
      expiringWithinAnHour: latency.soon,
    },
    findings: latency.soon > 0 ? [`${latency.soon} approvals expire within an hour and are not decided.`] : [],
  };
}
