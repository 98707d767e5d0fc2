import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const CountRow = row(Type.Object({ key_id: Type.String(), calls: Type.Integer() }));

/** Counts the stored calls of each key of an owner. Keys without any are missing. */
export async function countCalls({ db }: Pick<Context, 'db'>, owner: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.any(sql.type(CountRow)`
    select key_id, count(*) as calls from calls where owner = ${owner} and key_id is not null group by key_id`);
  return new Map(rows.map(({ key_id, calls }) => [key_id, calls]));
}

/** Calls of one key. */
export async function countCallsOf({ db }: Pick<Context, 'db'>, id: string): Promise<number> {
  const found = await db.maybeOne(
    sql.type(CountRow)`select key_id, count(*) as calls from calls where key_id = ${id} group by key_id`,
  );
  return found?.calls ?? 0;
}
