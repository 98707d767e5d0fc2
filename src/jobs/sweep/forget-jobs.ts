import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { DAY_MS } from '#src/lib/duration.ts';
import type { Context } from '#src/system/context.ts';
import { type RetentionPolicy, retentionPolicies } from './retention-policy.ts';

const BATCH = 1_000;

/**
 * Queues with finished jobs, also those that this release no longer has; a few looks into the index, however many jobs.
 */
const finishedQueues = `
  with recursive found as (
    (select queue from jobs where finished_at is not null order by queue limit 1)
    union all
    select (select j.queue from jobs j where j.finished_at is not null and j.queue > found.queue order by j.queue limit 1)
    from found where found.queue is not null
  )
  select queue from found where queue is not null`;

/**
 * Looks at `$4` jobs of queue `$1` that finished from `$2` on and before `$3`, and deletes them with their effects, steps
 * and signals; says that what lies beside their rows may go. It passes by rows that another transaction holds, and keeps
 * children of jobs that have not ended: these may still ask for their results. Answers how many it looked at and deleted,
 * and when the newest of them finished: the next batch begins there, past the rows that are deleted and not yet vacuumed
 * away. No event is older than its job, so older partitions are not looked into.
 */
const deleteJobs = (withEvents: boolean): string => `
  with seen as materialized (
    select id, created_at, finished_at, parent_id, steps, signals,
      payload_content is not null or result_content is not null as has_contents
    from jobs where queue = $1 and finished_at >= $2 and finished_at < $3
    order by finished_at limit $4 for update skip locked
  ), old as materialized (
    select * from seen s
    where s.parent_id is null or not exists (select from jobs p where p.id = s.parent_id and p.finished_at is null)
  ), done as (delete from effects where job in (select id from old))
  , stepped as (delete from steps where job in (select id from old where steps > 0))
  , signalled as (delete from signals where job in (select id from old where signals > 0))
  ${withEvents ? ', told as (delete from events where job in (select id from old) and at >= (select min(created_at) from old))' : ''}
  , waited as (delete from dependencies where job in (select id from old))
  , unfolded as (delete from flow_nodes where $1 = 'flows.run' and flow in (select id from old))
  , freed as (update job_contents set look_at = now() where job in (select id from old where has_contents))
  , gone as (delete from jobs where id in (select id from old))
  select count(*)::int as seen, (select count(*)::int from old) as count, max(finished_at)::text as newest from seen`;

interface Batch {
  readonly seen: number;
  readonly count: number;
  readonly newest: string | null;
}

interface Work {
  readonly queue: string;
  readonly statement: string;
  /** Jobs that finished before are forgotten. */
  readonly before: string;
  /** Time at which the next batch begins. */
  from: string;
}

/**
 * Forgets finished jobs that are past the retention of their queue, batch by batch and queue by queue in turn, until
 * `deadline` (of `performance.now()`) or until none is left. After each batch it rests as long as that took: the
 * statements of everybody else go before. Answers how many jobs went, and whether some are left.
 *
 * Events of a job go with it where they would else outlive it; the others go with their partition, which costs nothing.
 */
export async function forgetJobs(
  context: Context,
  client: Client,
  deadline: number,
): Promise<{ readonly count: number; readonly more: boolean }> {
  const { config, metrics } = context;
  const policyOf = retentionPolicies(context);
  const { rows } = await client.query<{ queue: string }>(finishedQueues);
  const eventsMs = config.EVENT_RETENTION_DAYS * DAY_MS;
  let works: Work[] = [];
  for (const { queue } of rows) {
    const policy = policyOf(queue);
    const statement = deleteJobs(policy.ms < eventsMs || policy.count !== null);
    works.push({ queue, statement, before: await cutOff(client, queue, policy), from: '-infinity' });
  }
  // a thousand ids lead into the indexes; the planner knows nothing of new partitions, and would read them whole
  await client.query('set enable_hashjoin = off; set enable_mergejoin = off');
  let count = 0;
  while (works.length > 0 && performance.now() < deadline) {
    const unfinished: Work[] = [];
    for (const work of works) {
      const since = performance.now();
      const deleted = await client.query<Batch>(work.statement, [work.queue, work.from, work.before, BATCH]);
      const batch = deleted.rows[0] ?? { seen: 0, count: 0, newest: null };
      if (batch.count > 0) metrics.proofline_jobs_forgotten_total.inc({ queue: work.queue }, batch.count);
      count += batch.count;
      // a whole batch that finished in the same moment and is kept: the next one would be the same
      if (batch.seen < BATCH || (batch.count === 0 && batch.newest === work.from)) continue;
      unfinished.push({ ...work, from: batch.newest ?? work.from });
      await sleep(performance.now() - since);
    }
    works = unfinished;
  }
  await client.query('reset enable_hashjoin; reset enable_mergejoin');
  return { count, more: works.length > 0 };
}

/**
 * Returns the time when the oldest job that is kept finished: by age, or where the queue keeps a count of them, by that
 * if it is later.
 */
async function cutOff(client: Client, queue: string, { ms, count }: RetentionPolicy): Promise<string> {
  // what ended in this minute stays whatever the count: its caller may still wait for it
  const { rows } = await client.query<{ before: string }>(
    `select greatest(
       clock_timestamp() - $2 * interval '1 ms',
       (select least(finished_at, clock_timestamp() - interval '1 minute') from jobs
        where $3::int is not null and queue = $1 and finished_at is not null
        order by finished_at desc offset $3::int - 1 limit 1)
     )::text as before`,
    [queue, ms, count],
  );
  return rows[0]?.before ?? '-infinity';
}
