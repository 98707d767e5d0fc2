import { sql } from 'slonik';
import type { Job } from '#src/jobs/model/job.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { allowedUrl } from '#src/system/outside/outside.ts';
import { type Webhook, webhookEvents } from './webhook-body.ts';

/**
 * Refuses an address to which nothing could ever be sent. The address that its name resolves to is checked at each
 * delivery.
 *
 * @throws AppError `invalid_request` naming the field.
 */
export function assertWebhook(
  { PLATFORM_WEBHOOK_ORIGINS }: Pick<Config, 'PLATFORM_WEBHOOK_ORIGINS'>,
  { url }: Webhook,
): void {
  try {
    allowedUrl(url, PLATFORM_WEBHOOK_ORIGINS, true);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid_request', `body.webhook.url: ${error.message}`, { field: 'body.webhook.url' }, error);
  }
}

/**
 * Subscribes an address of the owner's choice to the end of a job, an end that has come already included. A repeated
 * request changes nothing: a client without an answer repeats it, so nothing is lost where a process dies between the
 * job and this.
 */
export async function keepWebhook(
  { db }: Pick<Context, 'db'>,
  { owner }: Pick<Principal, 'owner'>,
  { id }: Pick<Job, 'id'>,
  { url, events = [...webhookEvents] }: Webhook,
): Promise<void> {
  await db.query(sql.unsafe`
    insert into platform_webhooks (job, owner, url, events)
    values (${id}, ${owner}, ${url}, ${sql.array([...events], 'text')}) on conflict (job) do nothing`);
}
