import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const expectedRow = row(Type.Object({ expected: Type.Boolean() }));

/**
 * Checks whether jobs of these queues run, as the database has it, in processes that have missed two beats: most likely
 * these are dead, and the sweep is about to find it out.
 */
export async function expectSuspects({ db, config }: Context, queues: readonly string[]): Promise<boolean> {
  return await db.oneFirst(sql.type(expectedRow)`
    select exists (
      select from jobs j left join workers w on w.id = j.worker_id
      where j.state = 'running' and j.queue = any(${sql.array([...queues], 'text')})
        and (w.id is null or w.beat_at < now() - ${2 * config.BEAT_MS} * interval '1 ms')
    ) as expected`);
}
