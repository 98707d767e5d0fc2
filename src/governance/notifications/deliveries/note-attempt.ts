import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { type Endpoint, endpointColumns, endpointRow } from '#src/governance/notifications/endpoints/endpoint-row.ts';
import type { Attempt } from '#src/governance/notifications/send/send.ts';
import { addNotice } from '#src/governance/owners/notices.ts';
import { backoffMs } from '#src/lib/async/backoff.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Delivery } from './delivery-row.ts';

/** First wait of a delivery after a failure and the longest, ms; doubling, with full jitter. */
const FIRST_MS = 5_000;
const LONGEST_MS = 30 * 60_000;
/** The same of an endpoint: nothing at all is sent there meanwhile. */
const REST_FIRST_MS = 1_000;
const REST_LONGEST_MS = 5 * 60_000;

const Noted = Type.Object({
  state: Type.Enum(['pending', 'delivered', 'failed']),
  format: Type.String(),
  /** Seconds since the event. */
  age: Type.Number(),
});
const NotedRow = row(Noted);
/** Outcomes of attempts as metrics name them, by the state of the delivery after it. */
const outcomes = { pending: 'retried', delivered: 'delivered', failed: 'failed' } as const;

type Outcome = Pick<Attempt, 'status' | 'error' | 'isFinal' | 'retryAfterS' | 'tookMs'>;

/**
 * Writes down what came of an attempt: the delivery is over, or waits for the next one, within a day of its beginning.
 * An endpoint that has failed for a day, or wants no more (410), is disabled.
 *
 * @returns false where another attempt has taken its place
 */
export async function noteAttempt(
  context: Context,
  {
    id,
    dispatch,
    attempts,
    replays,
    endpoint,
  }: Pick<Delivery, 'id' | 'dispatch' | 'attempts' | 'replays' | 'endpoint'>,
  outcome: Outcome,
): Promise<boolean> {
  const isTaken = outcome.error === null;
  const delivery = { id, dispatch, attempts, endpoint };
  const noted = isTaken
    ? await noteTaken(context, delivery, outcome)
    : await context.db.transaction(async (tx) => await noteRefused(tx, delivery, outcome));
  if (!noted) return false;
  const { proofline_notification_attempts_total: count, proofline_notification_seconds: seconds } = context.metrics;
  count.inc({ format: noted.format, outcome: outcomes[noted.state] });
  // sent again by hand, it would tell of the time until then
  if (isTaken && replays === 0) seconds.observe({ format: noted.format }, Math.max(0, noted.age));
  return true;
}

type Attempted = Pick<Delivery, 'id' | 'dispatch' | 'attempts' | 'endpoint'>;

/** Columns of a noted delivery `d`. */
const notedColumns = sql.fragment`
  d.state, (select p.format from webhook_endpoints p where p.id = d.endpoint) as format,
  extract(epoch from clock_timestamp() - d.happened_at)::float8 as age`;

/** Notes a success and ends the failures of the endpoint, in one statement: nearly all attempts are such. */
async function noteTaken(
  { db }: Context,
  { id, dispatch, endpoint }: Attempted,
  { status, tookMs }: Outcome,
): Promise<Static<typeof Noted> | null> {
  return await db.maybeOne(sql.type(NotedRow)`
    with noted as (
      update webhook_deliveries d set attempts = attempts + 1, status = ${status}, error = null, took_ms = ${tookMs},
        attempted_at = now(), delivered_at = now(), batch = null, state = 'delivered'
      where d.id = ${id} and d.state = 'sending' and d.dispatch = ${dispatch} returning ${notedColumns}
    ), mended as (
      update webhook_endpoints p set failures = 0, failing_since = null, not_before = null
      where p.id = ${endpoint} and (p.failures > 0 or p.failing_since is not null or p.not_before is not null)
        and exists (select from noted)
    )
    select * from noted`);
}

/** Notes a failure: the delivery waits or is given up, and the endpoint rests or is disabled. */
async function noteRefused(
  tx: CommonQueryMethods,
  { id, dispatch, attempts, endpoint }: Attempted,
  outcome: Outcome,
): Promise<Static<typeof Noted> | null> {
  const { status, error, isFinal, retryAfterS, tookMs } = outcome;
  const waitMs = Math.max(backoffMs(attempts + 1, FIRST_MS, LONGEST_MS), (retryAfterS ?? 0) * 1_000);
  const noted = await tx.maybeOne(sql.type(NotedRow)`
    update webhook_deliveries d set attempts = attempts + 1, status = ${status}, error = ${error}, took_ms = ${tookMs},
      attempted_at = now(), delivered_at = null, batch = null,
      state = case when ${isFinal} or now() >= give_up_at then 'failed' else 'pending' end,
      next_at = least(now() + ${waitMs} * interval '1 millisecond', greatest(give_up_at, now()))
    where d.id = ${id} and d.state = 'sending' and d.dispatch = ${dispatch} returning ${notedColumns}`);
  if (noted) await noteFailure(tx, endpoint, outcome);
  return noted;
}

async function noteFailure(tx: CommonQueryMethods, id: string, { error, status, retryAfterS }: Outcome): Promise<void> {
  const failing = await tx.maybeOne(sql.type(endpointRow)`
    update webhook_endpoints p set failures = failures + 1, failing_since = coalesce(failing_since, now())
    where p.id = ${id} returning ${endpointColumns}`);
  if (!failing) return;
  const restMs = Math.max(backoffMs(failing.failures, REST_FIRST_MS, REST_LONGEST_MS), (retryAfterS ?? 0) * 1_000);
  await tx.query(sql.unsafe`
    update webhook_endpoints set not_before = now() + ${restMs} * interval '1 millisecond' where id = ${id}`);
  if (!failing.listed || !failing.enabled) return;
  if (status === 410) return await disable(tx, failing, 'It answered 410: it wants no more messages.');
  const isDay = await tx.maybeOne(sql.type(row(Type.Object({ day: Type.Boolean() })))`
    select failing_since <= now() - interval '1 day' as day from webhook_endpoints where id = ${id}`);
  if (isDay?.day) await disable(tx, failing, `It took no message for a day. The newest attempt: ${error ?? ''}`);
}

/** Disables an endpoint, gives its deliveries up, and notes that for the owner’s other endpoints. */
async function disable(tx: CommonQueryMethods, { id, owner, title, url }: Endpoint, why: string): Promise<void> {
  const text = why.slice(0, 600);
  await tx.query(sql.unsafe`
    update webhook_endpoints set enabled = false, disabled_why = ${text}, changed_at = now() where id = ${id}`);
  await tx.query(sql.unsafe`
    update webhook_deliveries set state = 'failed', error = 'The endpoint was disabled before it was sent.'
    where endpoint = ${id} and state = 'pending'`);
  await addNotice(tx, {
    owner,
    key: `endpoint:${id}:${Date.now()}`,
    type: 'endpoint.disabled',
    data: { id, title, address: URL.parse(url)?.host || url, why: text },
  });
}
