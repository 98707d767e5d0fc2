import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const State = Type.Unsafe<'intended' | 'done' | 'failed' | 'unknown'>({
  enum: ['intended', 'done', 'failed', 'unknown'],
});
const stateRow = row(Type.Object({ effect: Type.String(), state: State }));

/**
 * How the named effects of a job stand; one that was never meant is missing. `intended`: it may be under way, or nobody
 * was left to say what came of it.
 */
export async function effectStates(
  { db }: Pick<Context, 'db'>,
  job: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, 'intended' | 'done' | 'failed' | 'unknown'>> {
  const rows = await db.any(sql.type(stateRow)`
    select effect, state from effects where job = ${job} and effect = any(${sql.array([...names], 'text')})`);
  return new Map(rows.map(({ effect, state }) => [effect, state]));
}
