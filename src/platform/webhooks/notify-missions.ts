import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { WebhookEvent } from './webhook-body.ts';

const PAGE = 200;

/** Webhook events, by the state in which a mission ended. */
const ends: Readonly<Record<string, WebhookEvent>> = { sealed: 'completed', failed: 'failed', cancelled: 'cancelled' };

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Ended = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  url: Type.String(),
  wanted: Type.Array(Type.String()),
  state: Type.String(),
  at: Type.Unsafe<Date>({}),
  code: nullable(Type.String()),
  message: nullable(Type.String()),
});
type Ended = Static<typeof Ended>;

/**
 * Writes a webhook message for the end of each mission that has a webhook. Returns whether there may be more. The
 * position is committed with the message, so none is lost or made twice, whichever process does it.
 */
export async function notifyMissions({ db }: Context): Promise<boolean> {
  const ended = await db.any(sql.type(row(Ended))`
    select w.job as id, w.owner, w.url, w.events as wanted, m.state, m.error ->> 'code' as code,
      m.error ->> 'message' as message, coalesce(m.sealed_at, m.finished_at, now()) as at
    from platform_webhooks w join missions m on m.id = w.job
    where w.closed_at is null and m.state = any(${sql.array(Object.keys(ends), 'text')}) order by w.job limit ${PAGE}`);
  for (const mission of ended) {
    const event = ends[mission.state];
    await db.transaction(async (tx) => {
      const { rowCount } = await tx.query(sql.unsafe`
        update platform_webhooks set closed_at = now() where job = ${mission.id} and closed_at is null`);
      if (rowCount === 0 || event === undefined || !mission.wanted.includes(event)) return;
      await tx.query(sql.unsafe`
        insert into platform_deliveries (id, job, owner, url, event, body)
        values (${randomUUIDv7()}, ${mission.id}, ${mission.owner}, ${mission.url}, ${event}, ${messageOf(mission, event)})`);
    });
  }
  return ended.length === PAGE;
}

/** The message, as Standard Webhooks has it: what happened, when, and to what. */
function messageOf({ id, state, at, code, message }: Ended, event: WebhookEvent): string {
  return JSON.stringify({
    type: `mission.${event}`,
    timestamp: at.toISOString(),
    data: {
      id,
      state,
      error: code === null ? null : { code, message: message?.slice(0, 2_000) ?? '' },
      links: { self: `/api/v1/missions/${id}`, receipt: `/api/v1/receipts/${id}` },
    },
  });
}
