import { sql } from 'slonik';
import Type from 'typebox';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { ResponseObject } from '#src/platform/responses/model/response-object.ts';
import type { TextWork } from '#src/platform/text/run-text.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { rowsOf } from './response-store.ts';

const eventRow = row(Type.Object({ event: Type.Unsafe<ResponseEvent>({}) }));
const idRow = row(Type.Object({ id: Type.String() }));
const openRow = row(
  Type.Object({
    begun: Type.Unsafe<ResponseObject>({}),
    work: Type.Unsafe<TextWork>({}),
    events: Type.Integer(),
  }),
);

/** Redis pub/sub channel on which is said that a response has new events. */
export function responseChannel(config: Config, id: string): string {
  return `${config.REDIS_PREFIX}:response:${id}`;
}

/** Events of a response with a number above `after`, in order, at most `limit`. */
export async function readResponseEvents(
  { db }: Pick<Context, 'db'>,
  id: string,
  after: number,
  limit: number,
): Promise<readonly ResponseEvent[]> {
  const rows = await db.any(sql.type(eventRow)`
    select event from response_events where response = ${id} and n > ${after} order by n limit ${limit}`);
  return rows.map(({ event }) => event);
}

/** Reads a response that has not ended, and its number of events, for a worker; null for jobs without one. */
export async function readOpenResponse(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<{ readonly begun: ResponseObject; readonly work: TextWork; readonly events: number } | null> {
  return await db.maybeOne(sql.type(openRow)`
    select begun, work, (select count(*) from response_events e where e.response = r.id) as events
    from responses r where id = ${id} and ended is null and work is not null`);
}

/**
 * Appends events, and with `ended` the end, under the fence: only while this attempt holds the job, so that nothing
 * follows the job's own end. Repeating it changes nothing. False where the job is held no longer.
 */
export async function appendEvents(
  { db }: Pick<Context, 'db'>,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  events: readonly ResponseEvent[],
  ended: ResponseObject | null,
): Promise<boolean> {
  const text = ended && JSON.stringify(ended);
  const held = await db.maybeOne(sql.type(idRow)`
    with held as materialized (
      select id from jobs where id = ${id} and attempt = ${attempt} and state = 'running' for share
    ), kept as (
      update responses r set ended = ${text}::json, work = null from held h where r.id = h.id and ${text !== null}
    ), told as (
      insert into response_events (response, n, event)
      select h.id, e.n, e.event::json from held h join responses r on r.id = h.id, ${rowsOf(events)}
      on conflict do nothing
    )
    select id from held`);
  return held !== null;
}
