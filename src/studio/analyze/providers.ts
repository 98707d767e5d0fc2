import { sql } from 'slonik';
import { Type } from 'typebox';
import { providerViews } from '#src/studio/model/provider-views.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type AnalysisQuery, callsInWindow } from './window.ts';

const nullable = Type.Union([Type.Number(), Type.Null()]);
const Posture = row(
  Type.Object({
    provider: Type.String(),
    calls: Type.Integer(),
    settled: Type.Integer(),
    released: Type.Integer(),
    unknown: Type.Integer(),
    cost: Type.Integer(),
    p50: nullable,
    p95: nullable,
  }),
);

/** Analyzes the providers of the catalogue: their health, and the outcome of their calls. */
export async function analyzeProviders(context: Context, query: AnalysisQuery) {
  const [views, rows] = await Promise.all([
    providerViews(context),
    context.db.any(sql.type(Posture)`
      select c.provider, count(*) as calls, count(*) filter (where c.state = 'settled') as settled,
        count(*) filter (where c.state = 'released') as released, count(*) filter (where c.state = 'unknown') as unknown,
        coalesce(sum(c.cost), 0)::bigint as cost,
        percentile_cont(0.5) within group (order by extract(epoch from c.ended_at - c.created_at) * 1000)
          filter (where c.state = 'settled') as p50,
        percentile_cont(0.95) within group (order by extract(epoch from c.ended_at - c.created_at) * 1000)
          filter (where c.state = 'settled') as p95
      from ${callsInWindow(query)} group by c.provider order by c.provider`),
  ]);
  const posture = new Map(
    rows.map(({ provider, cost, p50, p95, ...counts }) => [
      provider,
      { ...counts, costUsd: cost / 1e6, latencyMs: { p50: whole(p50), p95: whole(p95) } },
    ]),
  );
  const none = { calls: 0, settled: 0, released: 0, unknown: 0, costUsd: 0, latencyMs: { p50: null, p95: null } };
  return {
    figures: {
      providers: views.map(({ id, title, health, capabilities }) => ({
        provider: id,
        title,
        health,
        capabilities: capabilities.length,
        available: capabilities.filter(({ available }) => available).length,
        ...(posture.get(id) ?? none),
      })),
    },
    findings: views
      .filter(({ health }) => health.state !== 'healthy')
      .map(({ id, health }) => `${id} is ${health.state}: ${health.reason}.`),
  };
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
