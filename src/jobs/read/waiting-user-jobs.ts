import { sql } from 'slonik';
import Type from 'typebox';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const waitingRow = row(
  Type.Object({
    now: Type.Unsafe<Date>({}),
    oldest: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
    isRecovering: Type.Boolean(),
  }),
);

/** The jobs that callers wait for and no worker has claimed, by the database's clock. */
export interface WaitingUserJobs {
  readonly now: Date;
  /** Time at which the oldest of those that may run now came into its queue; null where none waits. */
  readonly oldest: Date | null;
  /**
   * True where some run, as the database has it, in processes that are silent: they are about to come back as suspects.
   */
  readonly isRecovering: boolean;
}

/** The jobs of callers that wait in these queues. What is held, paused, or to run later does not wait. */
export async function readWaitingUserJobs(
  { db, config }: Pick<Context, 'db' | 'config'>,
  queues: readonly string[],
): Promise<WaitingUserJobs> {
  const names = sql.array([...queues], 'text');
  const waits = sql.fragment`
    j.queue = q.name and j.state = 'queued' and not j.held and j.run_at <= now() and j.owner <> ${systemOwner}
    and not exists (select from queue_pauses p where p.queue = q.name)`;
  // a look-up for each queue, along the index of what waits: sorting a long queue would take as long as it is
  return await db.one(sql.type(waitingRow)`
    select now() as now,
      (select min(first.queued_at) from unnest(${names}) as q (name) cross join lateral (
        (select j.queued_at from jobs j where j.feed = 'fed' and ${waits} order by j.queued_at, j.id limit 1)
        union all
        -- of those in line any one: they are ordered by group
        (select j.queued_at from jobs j where j.feed = 'ready' and ${waits} limit 1)
      ) first) as oldest,
      exists (
        select from jobs j left join workers w on w.id = j.worker_id
        where j.state = 'running' and j.owner <> ${systemOwner} and j.queue = any(${names})
          and (w.id is null or w.beat_at < now() - ${2 * config.BEAT_MS} * interval '1 ms')
      ) as "isRecovering"`);
}
