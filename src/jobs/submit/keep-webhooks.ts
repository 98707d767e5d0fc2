import { sql } from 'slonik';
import type { Context } from '#src/system/context.ts';

/** Endpoint that is notified of the end of a job. */
export interface WebhookOf {
  readonly job: string;
  readonly endpoint: string;
}

/**
 * Has endpoints notified of the ends of jobs, an end that has come already included. Doing it again changes nothing; an
 * endpoint that was removed meanwhile is passed over.
 */
export async function keepWebhooks({ db }: Pick<Context, 'db'>, webhooks: readonly WebhookOf[]): Promise<void> {
  if (webhooks.length === 0) return;
  const ids = (name: keyof WebhookOf) =>
    sql.array(
      webhooks.map((one) => one[name]),
      'uuid',
    );
  await db.query(sql.unsafe`
    insert into job_webhooks (job, endpoint)
    select g.job, e.id from unnest(${ids('job')}, ${ids('endpoint')}) as g (job, endpoint)
    join webhook_endpoints e on e.id = g.endpoint
    on conflict do nothing`);
}
