import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { callerName, type Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { assertAddress } from './endpoint-address.ts';
import { type Endpoint, endpointColumns, endpointRow, ownEndpoint } from './endpoint-row.ts';
import { ROTATION_HOURS } from './endpoint-secret.ts';
import { assertPatterns } from './event-types.ts';

/** Endpoints that one owner may have. */
export const MOST_ENDPOINTS = 50;

export type EndpointWish = Pick<
  Endpoint,
  'title' | 'format' | 'url' | 'events' | 'queues' | 'groups' | 'symbols' | 'everyOwner' | 'enabled'
>;

const text = (list: readonly string[]) => sql.array([...new Set(list)], 'text');
const Counted = row(Type.Object({ count: Type.Integer() }));

/**
 * Makes an endpoint.
 *
 * @throws AppError `invalid_request` for an address that is none, `forbidden` for events of all owners where the caller
 *   is no operator, `quota_exceeded`
 */
export async function createEndpoint(context: Context, principal: Principal, wish: EndpointWish): Promise<Endpoint> {
  const url = assertAddress(context.config, principal, wish.format, wish.url);
  assertPatterns(wish.events);
  assertReach(principal, wish);
  const { owner, keyId, session } = principal;
  return await context.db.transaction(async (tx) => {
    // two requests at once must not pass the bound together
    await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`endpoints ${owner}`}, 0))`);
    const { count } = await tx.one(sql.type(Counted)`
      select count(*) as count from webhook_endpoints where owner = ${owner} and listed`);
    if (count >= MOST_ENDPOINTS)
      throw new AppError('quota_exceeded', `expected at most ${MOST_ENDPOINTS} endpoints of yours, got one more.`, {
        limit: MOST_ENDPOINTS,
      });
    return await tx.one(sql.type(endpointRow)`
      insert into webhook_endpoints as p (id, owner, title, format, url, events, queues, groups, symbols, every_owner,
        enabled, made_by, key_id, issuer, subject)
      values (${randomUUIDv7()}, ${owner}, ${wish.title}, ${wish.format}, ${url}, ${text(wish.events)}, ${text(wish.queues)},
        ${text(wish.groups)}, ${text(wish.symbols)}, ${wish.everyOwner}, ${wish.enabled}, ${callerName(principal)}, ${keyId},
        ${session?.identity.issuer ?? null}, ${session?.identity.subject ?? null})
      returning ${endpointColumns}`);
  });
}

/**
 * Changes an endpoint of the caller’s owner; what is left out stays. Enabled again, it begins anew: its failures are
 * forgotten.
 *
 * @throws AppError `not_found`, and as {@link createEndpoint}
 */
export async function changeEndpoint(
  context: Context,
  principal: Principal,
  id: string,
  change: Partial<EndpointWish>,
): Promise<Endpoint> {
  const was = await ownEndpoint(context, principal.owner, id);
  if (change.events) assertPatterns(change.events);
  const wish = { ...was, ...change };
  const isMoved = wish.url !== was.url || wish.format !== was.format;
  const url = isMoved ? assertAddress(context.config, principal, wish.format, wish.url) : was.url;
  // its address too: what others own must not go where another key of the same owner sends it
  assertReach(principal, wish);
  const isFresh = isMoved || (wish.enabled && !was.enabled);
  return await context.db.one(sql.type(endpointRow)`
    update webhook_endpoints p set title = ${wish.title}, format = ${wish.format}, url = ${url}, events = ${text(wish.events)},
      queues = ${text(wish.queues)}, groups = ${text(wish.groups)}, symbols = ${text(wish.symbols)},
      every_owner = ${wish.everyOwner}, enabled = ${wish.enabled},
      disabled_why = case when ${wish.enabled} then null else disabled_why end,
      failing_since = case when ${isFresh} then null else failing_since end,
      failures = case when ${isFresh} then 0 else failures end,
      not_before = case when ${isFresh} then null else not_before end, changed_at = now()
    where p.id = ${id} returning ${endpointColumns}`);
}

/** Gives an endpoint a new secret; messages are signed with the one before as well, for a day. @throws `not_found` */
export async function rotateSecret(context: Context, principal: Principal, id: string): Promise<Endpoint> {
  await ownEndpoint(context, principal.owner, id);
  return await context.db.one(sql.type(endpointRow)`
    update webhook_endpoints p set secret_version = secret_version + 1,
      previous_until = now() + ${ROTATION_HOURS} * interval '1 hour', changed_at = now()
    where p.id = ${id} returning ${endpointColumns}`);
}

/** Removes an endpoint with its deliveries. @throws AppError `not_found` */
export async function removeEndpoint(context: Context, principal: Principal, id: string): Promise<void> {
  await ownEndpoint(context, principal.owner, id);
  await context.db.query(sql.unsafe`
    with gone as (delete from webhook_endpoints where id = ${id})
    delete from webhook_secrets where starts_with(name, ${`endpoint:${id}.`})`);
}

function assertReach({ operator }: Principal, { everyOwner }: Pick<EndpointWish, 'everyOwner'>): void {
  if (!everyOwner || operator) return;
  throw new AppError(
    'forbidden',
    'body.every_owner: expected false, or a caller who is an operator, got true: events of all owners are for operators.',
    {
      field: 'body.every_owner',
      reason: 'operator',
    },
  );
}
