import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { row } from '#src/system/postgres/postgres.ts';

const openRow = row(
  Type.Object({
    status: Type.String(),
    batches: Type.Integer(),
    total: Type.Integer(),
    completed: Type.Integer(),
    failed: Type.Integer(),
    age: Type.Number(),
  }),
);
const openStatuses = ['validating', 'in_progress', 'finalizing', 'cancelling'] as const;

/** Fills the gauges of the batches that are not over from Postgres at every scrape. */
export function gaugeBatches(context: Context): void {
  const { db, metrics } = context;
  const {
    proofline_batches_open: open,
    proofline_batch_lines: lines,
    proofline_batch_oldest_open_seconds: oldest,
  } = metrics;
  fillGauges(context, [open, lines, oldest], async () => {
    const rows = await db.any(sql.type(openRow)`
      select status, count(*) as batches, sum(total)::int8 as total, sum(completed)::int8 as completed,
        sum(failed)::int8 as failed,
        extract(epoch from clock_timestamp() - min(created_at))::float8 as age
      from batches where ended_at is null group by status`);
    const sum = (of: 'total' | 'completed' | 'failed') => rows.reduce((all, each) => all + each[of], 0);
    for (const status of openStatuses) open.set({ status }, rows.find((each) => each.status === status)?.batches ?? 0);
    lines.set({ state: 'completed' }, sum('completed'));
    lines.set({ state: 'failed' }, sum('failed'));
    lines.set({ state: 'waiting' }, sum('total') - sum('completed') - sum('failed'));
    oldest.set(Math.max(0, ...rows.map(({ age }) => age)));
  });
}
