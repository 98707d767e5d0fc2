import { sql } from 'slonik';
import { Type } from 'typebox';
import { deliver } from '#queues/platform.ts';
import { submitMany } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { noteAttempt } from './note-attempt.ts';

/** Messages under way at once: to all, to one endpoint, and to all that have failed lately, of which each has one. */
const MOST = 32;
const MOST_EACH = 4;
const MOST_FAILING = 8;
/** Seconds after which a delivery without a job is given one again: its process has died in between. */
const LOST_S = 5;

const Due = row(Type.Object({ id: Type.String(), owner: Type.String(), dispatch: Type.Integer() }));
type Due = { readonly id: string; readonly owner: string; readonly dispatch: number };

/**
 * Hands deliveries that are due to jobs. One that hangs or fails holds a place of its own endpoint, never that of
 * another: so many at most are under way to each, and one to an endpoint that has failed lately. Answers their number.
 */
export async function dispatchDue(context: Context): Promise<number> {
  const due = await context.db.any(sql.type(Due)`
    with recursive waiting as (
      (select endpoint from webhook_deliveries where state = 'pending' order by endpoint limit 1)
      union all
      select (select d.endpoint from webhook_deliveries d where d.state = 'pending' and d.endpoint > w.endpoint order by d.endpoint limit 1)
      from waiting w where w.endpoint is not null
    ), busy as (
      select s.endpoint, count(*) as places, bool_or(p.failures > 0) as failing
      from webhook_deliveries s join webhook_endpoints p on p.id = s.endpoint where s.state = 'sending' group by s.endpoint
    ), able as (
      select p.id, p.failures > 0 as failing, case when p.failures > 0 then 1 else ${MOST_EACH} end - coalesce(b.places, 0) as free
      from waiting w join webhook_endpoints p on p.id = w.endpoint left join busy b on b.endpoint = p.id
      where p.enabled and (p.not_before is null or p.not_before <= now())
    ), due as (
      select d.id, d.next_at, a.failing, row_number() over (partition by a.failing order by d.next_at) as place
      from able a cross join lateral (
        select o.id, o.next_at from webhook_deliveries o
        where o.endpoint = a.id and o.state = 'pending' and o.next_at <= now() order by o.next_at limit greatest(a.free, 0)
      ) d
    ), chosen as (
      select id from due
      where not failing or place <= ${MOST_FAILING} - (select count(*) from busy where failing)
      order by failing, next_at
      limit greatest(0, ${MOST} - (select coalesce(sum(places), 0) from busy))
    )
    update webhook_deliveries d set state = 'sending', dispatch = d.dispatch + 1, sender = null, attempted_at = now()
    from chosen where d.id = chosen.id and d.state = 'pending'
    returning d.id, d.owner, d.dispatch`);
  await handOver(context, due);
  return due.length;
}

/** Finds deliveries whose job was never made, or has ended without a word, and goes on with them. */
export async function recoverDeliveries(context: Context): Promise<void> {
  await handOver(
    context,
    await context.db.any(sql.type(Due)`
      select d.id, d.owner, d.dispatch from webhook_deliveries d
      where d.state = 'sending' and d.sender is null and d.attempted_at < now() - ${LOST_S} * interval '1 second' limit ${MOST}`),
  );
  const Ended = row(
    Type.Object({
      id: Type.String(),
      endpoint: Type.String(),
      dispatch: Type.Integer(),
      attempts: Type.Integer(),
      replays: Type.Integer(),
    }),
  );
  const ended = await context.db.any(sql.type(Ended)`
    select d.id, d.endpoint, d.dispatch, d.attempts, d.replays from webhook_deliveries d left join jobs j on j.id = d.sender
    where d.state = 'sending' and d.sender is not null and (j.id is null or j.finished_at is not null) limit ${MOST}`);
  const error = 'The attempt was broken off: whether the message arrived is not known.';
  for (const one of ended)
    await noteAttempt(context, one, { status: null, error, isFinal: false, retryAfterS: null, tookMs: 0 });
}

async function handOver(context: Context, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const settled = await submitMany(
    context,
    due.map(({ id, owner, dispatch }) => ({
      queue: deliver,
      // the same key gives the same job, whichever process hands it over
      submission: {
        principal: { owner },
        payload: { deliveryId: id, dispatch },
        idempotencyKey: `deliver ${id} ${dispatch}`,
      },
    })),
  );
  const senders = settled.flatMap((one, index) => {
    const { id, dispatch } = due[index]!;
    return one.status === 'fulfilled' ? [[id, dispatch, one.value.job.id]] : [];
  });
  if (senders.length > 0)
    await context.db.query(sql.unsafe`
      update webhook_deliveries d set sender = s.job
      from ${sql.unnest(senders, ['uuid', 'int4', 'uuid'])} as s (id, dispatch, job)
      where d.id = s.id and d.dispatch = s.dispatch`);
  const failed = settled.find((one) => one.status === 'rejected');
  // they are handed over again after a while
  if (failed) throw failed.reason;
}
