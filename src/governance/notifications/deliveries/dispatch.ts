import { sql } from 'slonik';
import { Type } from 'typebox';
import { deliver } from '#queues/platform.ts';
import { submitMany } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Batch } from './batch.ts';

/**
 * Batches under way at once: to all, to the endpoints of one owner, to one endpoint, and to all that have failed lately,
 * of which each has one.
 */
const MOST = 32;
const MOST_OWNER = 8;
const MOST_EACH = 2;
const MOST_FAILING = 8;
/** Deliveries of a batch; to an endpoint that has failed lately one. */
const SIZE = 32;
/** Seconds after which a batch without a job is given one again: its process has died in between. */
const LOST_S = 5;
/** First wait after a broken-off attempt and the longest, seconds; doubling. */
const BROKEN_FIRST_S = 5;
const BROKEN_LONGEST_S = 1_800;

const Due = row(Type.Object({ batch: Type.String(), endpoint: Type.String(), owner: Type.String() }));
type Due = Batch & { readonly owner: string };

/**
 * Hands deliveries that are due to jobs, a batch of one endpoint to each. One that hangs or fails holds a place of its
 * own endpoint, never that of another: so many at most are under way to each and to those of one owner, and one message to an
 * endpoint that has failed lately. Answers the number of batches.
 */
export async function dispatchDue(context: Context): Promise<number> {
  const due = await context.db.any(sql.type(Due)`
    with recursive waiting as (
      (select endpoint from webhook_deliveries where state = 'pending' order by endpoint limit 1)
      union all
      select (select d.endpoint from webhook_deliveries d where d.state = 'pending' and d.endpoint > w.endpoint order by d.endpoint limit 1)
      from waiting w where w.endpoint is not null
    ), busy as (
      select s.endpoint, p.owner, count(distinct s.batch) as batches, bool_or(p.failures > 0) as failing
      from webhook_deliveries s join webhook_endpoints p on p.id = s.endpoint where s.state = 'sending' group by s.endpoint, p.owner
    ), able as (
      select p.id, p.owner, p.failures > 0 as failing, first.next_at,
        row_number() over (partition by p.failures > 0 order by first.next_at) as place,
        row_number() over (partition by p.owner order by p.failures > 0, first.next_at) as own
      from waiting w join webhook_endpoints p on p.id = w.endpoint left join busy b on b.endpoint = p.id
      cross join lateral (
        select o.next_at from webhook_deliveries o where o.endpoint = p.id and o.state = 'pending' order by o.next_at limit 1
      ) first
      where p.enabled and (p.not_before is null or p.not_before <= now()) and first.next_at <= now()
        and coalesce(b.batches, 0) < case when p.failures > 0 then 1 else ${MOST_EACH} end
    ), chosen as materialized (
      select id, failing, gen_random_uuid() as batch from able
      where (not failing or place <= ${MOST_FAILING} - (select count(*) from busy where failing))
        and own <= ${MOST_OWNER} - (select coalesce(sum(b.batches), 0) from busy b where b.owner = able.owner)
      order by failing, next_at
      limit greatest(0, ${MOST} - (select coalesce(sum(batches), 0) from busy))
    ), sent as (
      update webhook_deliveries d set state = 'sending', dispatch = d.dispatch + 1, sender = null, batch = t.batch, attempted_at = now()
      from (
        select o.id, c.batch from chosen c cross join lateral (
          select e.id from webhook_deliveries e where e.endpoint = c.id and e.state = 'pending' and e.next_at <= now()
          order by e.next_at limit case when c.failing then 1 else ${SIZE} end
        ) o
      ) t
      where d.id = t.id and d.state = 'pending'
      returning d.batch, d.endpoint, d.owner
    )
    select distinct batch, endpoint, owner from sent`);
  await handOver(context, due);
  return due.length;
}

/** Finds batches whose job was never made, or has ended without a word, and goes on with them. */
export async function recoverDeliveries(context: Context): Promise<void> {
  await handOver(
    context,
    await context.db.any(sql.type(Due)`
      select distinct d.batch, d.endpoint, d.owner from webhook_deliveries d
      where d.state = 'sending' and d.sender is null and d.batch is not null
        and d.attempted_at < now() - ${LOST_S} * interval '1 second' limit ${MOST}`),
  );
  // our own process has died, or was stopped: the endpoint is not to blame. Also what a release before has begun
  await context.db.query(sql.unsafe`
    update webhook_deliveries d set attempts = attempts + 1, status = null, batch = null,
      error = 'The attempt was broken off: whether the message arrived is not known.',
      state = case when now() >= give_up_at then 'failed' else 'pending' end,
      next_at = now() + least(${BROKEN_FIRST_S} * 2 ^ least(attempts, 20), ${BROKEN_LONGEST_S}) * interval '1 second'
    where d.state = 'sending' and (d.batch is null or d.sender is not null) and not exists (
      select from jobs j where j.id = d.sender and j.finished_at is null
    )`);
}

async function handOver(context: Context, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const settled = await submitMany(
    context,
    due.map(({ endpoint, batch, owner }) => ({
      queue: deliver,
      // the same key gives the same job, whichever process hands it over
      submission: { principal: { owner }, payload: { endpoint, batch }, idempotencyKey: `deliver ${batch}` },
    })),
  );
  const senders = settled.flatMap((one, index) => {
    const { endpoint, batch } = due[index]!;
    return one.status === 'fulfilled' ? [[endpoint, batch, one.value.job.id]] : [];
  });
  if (senders.length > 0)
    await context.db.query(sql.unsafe`
      update webhook_deliveries d set sender = s.job
      from ${sql.unnest(senders, ['uuid', 'uuid', 'uuid'])} as s (endpoint, batch, job)
      where d.endpoint = s.endpoint and d.batch = s.batch and d.state = 'sending'`);
  const failed = settled.find((one) => one.status === 'rejected');
  // they are handed over again after a while
  if (failed) throw failed.reason;
}
