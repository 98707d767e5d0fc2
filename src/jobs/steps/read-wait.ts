import { sql } from 'slonik';
import { Type } from 'typebox';
import type { WaitsFor } from '#src/jobs/model/waits-for.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const waitRow = row(
  Type.Object({
    kind: Type.Unsafe<WaitsFor['kind']>({}),
    name: Type.String(),
    child: Type.Union([Type.String(), Type.Null()]),
    until: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
  }),
);

/** Reads what a waiting job waits for; undefined where it waits no more. */
export async function readWait({ db }: Pick<Context, 'db'>, job: string): Promise<WaitsFor | undefined> {
  const wait = await db.maybeOne(sql.type(waitRow)`
    select kind, name, child, wake_at as until from waits where job = ${job}`);
  if (!wait) return undefined;
  const { kind, name, child, until } = wait;
  return { kind, name, ...(child !== null && { child }), ...(until !== null && { until: until.toISOString() }) };
}
