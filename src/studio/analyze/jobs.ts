import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type AnalysisQuery, jobsInWindow } from './window.ts';

const nullable = Type.Union([Type.Number(), Type.Null()]);
const ByState = row(Type.Object({ kind: Type.String(), state: Type.String(), count: Type.Integer() }));
const Times = row(Type.Object({ kind: Type.String(), p50: nullable, p95: nullable, waited: nullable }));
const Failure = row(Type.Object({ code: Type.String(), count: Type.Integer() }));
const Held = row(Type.Object({ held: Type.Integer() }));

/** Renders and publications: how many are in which state, how long they ran, and why they failed. */
export async function analyzeJobs({ db }: Pick<Context, 'db'>, query: AnalysisQuery) {
  const from = jobsInWindow(query);
  const [states, times, failures, { held }] = await Promise.all([
    db.any(sql.type(ByState)`select s.kind, j.state, count(*) from ${from} group by 1, 2 order by 1, 2`),
    db.any(sql.type(Times)`
      select s.kind,
        percentile_cont(0.5) within group (order by extract(epoch from j.finished_at - j.started_at) * 1000) as p50,
        percentile_cont(0.95) within group (order by extract(epoch from j.finished_at - j.started_at) * 1000) as p95,
        percentile_cont(0.5) within group (order by extract(epoch from j.started_at - j.created_at) * 1000) as waited
      from ${from} and j.state = 'succeeded' group by 1 order by 1`),
    db.any(sql.type(Failure)`
      select j.error ->> 'code' as code, count(*) from ${from} and j.state = 'failed' and j.error is not null
      group by 1 order by 2 desc, 1`),
    db.one(sql.type(Held)`select count(*) as held from ${from} and j.state = 'queued' and j.held`),
  ]);
  return {
    figures: {
      byState: states,
      held,
      succeededMs: times.map(({ kind, p50, p95, waited }) => ({
        kind,
        ran: { p50: Math.round(p50 ?? 0), p95: Math.round(p95 ?? 0) },
        waitedP50: Math.round(waited ?? 0),
      })),
      failures,
    },
    findings: [
      ...(held > 0 ? [`${held} approved jobs are held: a worker run releases them.`] : []),
      ...failures.map(({ code, count }) => `${count} failed with ${code}.`),
    ],
  };
}
