import { sql } from 'slonik';
import Type from 'typebox';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { retentionPolicies } from './retention-policy.ts';

const Oldest = row(Type.Object({ queue: Type.String(), age: Type.Number() }));

/** Has every scrape read how far the clean-up of finished jobs is behind; one look into the index a queue. */
export function gaugeRetention(context: Context): void {
  const { db, metrics } = context;
  const policyOf = retentionPolicies(context);
  const gauge = metrics.proofline_retention_overdue_seconds;
  fillGauges(context, [gauge], async () => {
    const oldest = await db.any(sql.type(Oldest)`
      select q.queue, extract(epoch from now() - o.finished_at)::float8 as age
      from unnest(${sql.array([...registryOf(context).names()], 'text')}) as q (queue), lateral (
        select finished_at from jobs where queue = q.queue and finished_at is not null order by finished_at limit 1
      ) o`);
    gauge.set(Math.max(0, ...oldest.map(({ queue, age }) => age - policyOf(queue).ms / 1_000)));
  });
}
