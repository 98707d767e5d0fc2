import { plainArray } from '#src/lib/array-literal.ts';
import type { Context } from '#src/system/context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import type { Delivery } from './broker-names.ts';

const toLine: Statement = {
  name: 'jobs-to-line',
  text: `
    with given as materialized (
      select *, 'queued' as state from unnest($1::uuid[], $2::int4[]) as g (id, dispatch) order by id
    ), fit as materialized (
      select locked.* from given g cross join lateral (
        select j.id from jobs j where j.id = g.id and j.dispatch = g.dispatch and j.state is not distinct from g.state
          and j.feed = 'fed'
        for update
      ) locked
    )
    update jobs j set feed = 'ready' from fit where j.id = fit.id
    returning j.id`,
};

/**
 * Puts jobs in line that no entry of the broker carries, where they still wait under these dispatches. Answers how many.
 *
 * @throws what Postgres answers; the audit does it then.
 */
export async function sendToLine(context: Context, jobs: readonly Delivery[]): Promise<number> {
  const values = [plainArray(jobs.map(({ id }) => id)), plainArray(jobs.map(({ dispatch }) => dispatch))];
  const rows = await openStatements(context)<readonly [string]>(toLine, values);
  return rows.length;
}
