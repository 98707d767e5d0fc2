import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { callerName, type Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { assertAddress } from './endpoints/endpoint-address.ts';
import { ownEndpoint } from './endpoints/endpoint-row.ts';
import { JobEventRow, jobEvent, jobEventColumns } from './outbox/job-events.ts';
import { writeDeliveries } from './outbox/write-deliveries.ts';

/** Address, or endpoint, that is notified of the end of one job. */
export type JobWebhook = { readonly url: string } | { readonly endpoint: string };

/** Addresses that one owner may have single jobs notify. */
const MOST_ADDRESSES = 1_000;
const PAGE = 200;
const IdRow = row(Type.Object({ id: Type.String() }));
const CountRow = row(Type.Object({ count: Type.Integer() }));

/**
 * Answers the endpoint that the webhook of a job stands for: one of the owner’s, or one that is made for the address.
 *
 * @throws AppError `invalid_request` for an address that is none, `not_found`, `quota_exceeded`
 */
export async function endpointOfWebhook(context: Context, principal: Principal, webhook: JobWebhook): Promise<string> {
  const { owner, keyId } = principal;
  if ('endpoint' in webhook) return (await ownEndpoint(context, owner, webhook.endpoint, 'body.webhook.endpoint')).id;
  const url = assertAddress(context.config, principal, 'raw', webhook.url, 'body.webhook.url');
  const find = async () =>
    await context.db.maybeOne(sql.type(IdRow)`
      select id from webhook_endpoints where owner = ${owner} and url = ${url} and not listed`);
  const known = await find();
  if (known) return known.id;
  const { count } = await context.db.one(sql.type(CountRow)`
    select count(*) as count from webhook_endpoints where owner = ${owner} and not listed`);
  if (count >= MOST_ADDRESSES)
    throw new AppError(
      'quota_exceeded',
      `expected at most ${MOST_ADDRESSES} addresses that single jobs notify, got one more: make an endpoint (POST /v1/webhook-endpoints) and name it.`,
      { limit: MOST_ADDRESSES },
    );
  const made = await context.db.maybeOne(sql.type(IdRow)`
    insert into webhook_endpoints (id, owner, title, format, url, events, listed, made_by, key_id)
    values (${randomUUIDv7()}, ${owner}, 'Webhooks of jobs', 'raw', ${url}, '{}', false, ${callerName(principal)}, ${keyId})
    on conflict (owner, url) where not listed do nothing returning id`);
  // made by another request meanwhile
  const found = made ?? (await find());
  if (found) return found.id;
  throw new AppError('unavailable', 'The webhook was removed while it was made; submit the job again with its key.');
}

/** Has endpoints notified of the ends of jobs, ends that have come already included. Doing it again changes nothing. */
export async function keepJobWebhooks(
  { db }: Pick<Context, 'db'>,
  jobs: readonly { readonly job: string; readonly receiver: string }[],
): Promise<void> {
  const ids = (values: readonly string[]) => sql.array([...values], 'uuid');
  await db.query(sql.unsafe`
    insert into job_webhooks (job, endpoint)
    select * from unnest(${ids(jobs.map(({ job }) => job))}, ${ids(jobs.map(({ receiver }) => receiver))})
    on conflict do nothing`);
}

const Behind = Type.Object({ job: Type.String(), endpoint: Type.String() });
const Locked = Type.Object({
  owner: Type.String(),
  seen: Type.Integer(),
  events: Type.Integer(),
  state: Type.String(),
});

/**
 * Writes the deliveries of jobs that have ended and have a webhook of their own. Answers whether there may be more. The
 * position in each ledger is committed with them, so none is lost or made twice.
 */
export async function noteJobEnds(context: Context): Promise<boolean> {
  const behind = await context.db.any(sql.type(row(Behind))`
    select w.job, w.endpoint from job_webhooks w join jobs j on j.id = w.job
    where w.closed_at is null and j.events > w.seen and j.finished_at is not null order by w.job limit ${PAGE}`);
  for (const one of behind) await context.db.transaction(async (tx) => await noteEnd(context, tx, one));
  return behind.length === PAGE;
}

async function noteEnd(
  context: Context,
  tx: CommonQueryMethods,
  { job, endpoint }: Static<typeof Behind>,
): Promise<void> {
  const found = await tx.maybeOne(sql.type(row(Locked))`
    select p.owner, w.seen, j.events, j.state from job_webhooks w
    join jobs j on j.id = w.job join webhook_endpoints p on p.id = w.endpoint
    where w.job = ${job} and w.endpoint = ${endpoint} and w.closed_at is null for update of w`);
  if (!found) return;
  const ends = await tx.any(sql.type(row(JobEventRow))`
    select ${jobEventColumns} from events e join jobs j on j.id = e.job
    where e.job = ${job} and e.n > ${found.seen} and e.n <= ${found.events}
      and e.type in ('succeeded', 'failed', 'cancelled') order by e.n`);
  const audience = { of: () => [{ id: endpoint, owner: found.owner }] };
  await writeDeliveries(
    { db: tx },
    audience,
    ends.map((end) => jobEvent(context.config, end)),
  );
  // a failed job may be redriven, so more may come of it
  const isOver = found.state === 'succeeded' || found.state === 'cancelled';
  await tx.query(sql.unsafe`
    update job_webhooks set seen = ${found.events}, closed_at = case when ${isOver} then now() end
    where job = ${job} and endpoint = ${endpoint}`);
}
