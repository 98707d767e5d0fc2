import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { notify } from '#queues/platform.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { WebhookEvent } from './webhook-body.ts';

const PAGE = 200;
/**
 * Largest result in a message, bytes: Standard Webhooks asks for messages below 20 kB. The receiver reads a longer one
 * from the job.
 */
const MOST_RESULT = 15_000;
const MOST_REASON = 2_000;

/** Webhook events, by the ledger's name of the end. */
const ends: Readonly<Record<string, WebhookEvent>> = {
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

const Behind = Type.Object({ job: Type.String() });
const Locked = Type.Object({
  job: Type.String(),
  owner: Type.String(),
  url: Type.String(),
  wanted: Type.Array(Type.String()),
  told: Type.Integer(),
  events: Type.Integer(),
  state: Type.String(),
  queue: Type.String(),
  result: Type.Unsafe<unknown>({}),
});
type Locked = Static<typeof Locked>;
const Ended = Type.Object({
  type: Type.String(),
  at: Type.Unsafe<Date>({}),
  data: Type.Unsafe<{ readonly error?: { readonly code: string; readonly message: string } }>({}),
});
const Unsent = Type.Object({ id: Type.String(), owner: Type.String(), replays: Type.Integer() });

/**
 * Writes a message for each end of a job that has a webhook. Returns whether there may be more. The position in each
 * job's ledger is committed with the messages, so none is lost or made twice, whichever process does it.
 */
export async function notifyJobs({ db }: Context): Promise<boolean> {
  const behind = await db.any(sql.type(row(Behind))`
    select w.job from platform_webhooks w join jobs j on j.id = w.job
    where w.closed_at is null and j.events > w.told order by w.job limit ${PAGE}`);
  for (const { job } of behind) await db.transaction(async (tx) => await notifyJob(tx, job));
  return behind.length === PAGE;
}

async function notifyJob(tx: CommonQueryMethods, id: string): Promise<void> {
  const webhook = await tx.maybeOne(sql.type(row(Locked))`
    select w.job, w.owner, w.url, w.events as wanted, w.told, j.events, j.state, j.queue, j.result
    from platform_webhooks w join jobs j on j.id = w.job where w.job = ${id} for update of w`);
  if (!webhook) return;
  const found = await tx.any(sql.type(row(Ended))`
    select type, at, data from events
    where job = ${id} and n > ${webhook.told} and n <= ${webhook.events}
      and type = any(${sql.array(Object.keys(ends), 'text')}) order by n`);
  for (const ended of found) {
    const event = ends[ended.type];
    if (event === undefined || !webhook.wanted.includes(event)) continue;
    await tx.query(sql.unsafe`
      insert into platform_deliveries (id, job, owner, url, event, body)
      values (${randomUUIDv7()}, ${id}, ${webhook.owner}, ${webhook.url}, ${event}, ${messageOf(webhook, event, ended)})`);
  }
  // a failed job may be redriven, so more may come of it
  const isOver = webhook.state === 'succeeded' || webhook.state === 'cancelled';
  await tx.query(sql.unsafe`
    update platform_webhooks set told = ${webhook.events}, closed_at = case when ${isOver} then now() end
    where job = ${id}`);
}

/** The message, as Standard Webhooks has it: what happened, when, and to what. */
function messageOf(
  { job, queue, result }: Locked,
  event: WebhookEvent,
  { type, at, data }: Static<typeof Ended>,
): string {
  const error = data.error && { code: data.error.code, message: data.error.message.slice(0, MOST_REASON) };
  const isShort = type === 'succeeded' && JSON.stringify(result ?? null).length <= MOST_RESULT;
  return JSON.stringify({
    type: `job.${event}`,
    timestamp: at.toISOString(),
    data: {
      id: job,
      queue,
      state: type,
      error: error ?? null,
      result: isShort ? (result ?? null) : null,
      links: { self: `/v1/jobs/${job}` },
    },
  });
}

/** Has each message delivered that no job delivers yet. A process that dies in between leaves it to the next. */
export async function sendDeliveries(context: Context): Promise<void> {
  const unsent = await context.db.any(sql.type(row(Unsent))`
    select id, owner, replays from platform_deliveries where sender is null order by id limit ${PAGE}`);
  for (const { id, owner, replays } of unsent) {
    // the same key gives the same job, and a replay another
    const { job } = await submit(context, notify, {
      principal: { owner },
      payload: { deliveryId: id },
      idempotencyKey: `webhook ${id} ${replays}`,
    });
    await context.db.query(sql.unsafe`
      update platform_deliveries set sender = ${job.id} where id = ${id} and sender is null and replays = ${replays}`);
  }
}
