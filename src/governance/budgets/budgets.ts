import { type CommonQueryMethods, type DatabaseTransactionConnection, sql } from 'slonik';
import { Type } from 'typebox';
import type { MediaSurface } from '#queues/providers.ts';
import type { OwnerEventType } from '#src/governance/owners/owner-event-types.ts';
import { type OwnerEvent, publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type Budget, lockBudgets, moveMoney, takeFrom } from './budget-rows.ts';
import { type CallName, type CallRow, callColumns, callRow } from './call-row.ts';
import { countRefusal } from './count-refusal.ts';
import { monthlyBudgets } from './monthly-budgets.ts';
import { settleCall } from './settle-calls.ts';

/**
 * A budget with this ceiling, in millionths of a dollar; null bounds nothing. One that is there already keeps what is
 * reserved and spent, and takes the ceiling.
 */
export async function openBudget(db: CommonQueryMethods, id: string, ceiling: number | null): Promise<void> {
  await db.query(sql.unsafe`
    insert into budgets as b (id, ceiling) values (${id}, ${ceiling})
    on conflict (id) do update set ceiling = excluded.ceiling, updated_at = now()
      where b.ceiling is distinct from excluded.ceiling`);
}

export interface Call extends CallName {
  readonly owner: string;
  readonly keyId: string | null;
  /** `jobs`: a job of anybody’s, by what its worker says it costs. */
  readonly surface: MediaSurface | 'jobs';
  readonly capability: string;
  /** Under which it is reserved, beside those of the month. */
  readonly budgets: readonly string[];
  /** Millionths of a dollar. */
  readonly quoted: number;
}

/**
 * Reserves what a call was quoted at under each of its budgets and those of the month, in one transaction, so that what
 * is reserved and spent never passes a ceiling. A call that exists already (a process died after it had reserved) is
 * not reserved again; one whose outcome is unknown is held in full again, and one that an operator or the rule has
 * decided about is reserved anew.
 *
 * @throws AppError `budget_exceeded` with the numbers, `not_found` for a budget that was never opened.
 */
export async function reserve(context: Context, call: Call): Promise<CallRow> {
  const { job, provider, owner, keyId, surface, capability, quoted } = call;
  if (!Number.isSafeInteger(quoted) || quoted < 0)
    throw new RangeError(`quoted: expected millionths of a dollar from 0, got ${quoted}`);
  const monthly = monthlyBudgets(context.config, call, new Date());
  for (const { id, ceiling } of monthly) await openBudget(context.db, id, ceiling);
  const budgets = [...new Set([...call.budgets, ...monthly.map(({ id }) => id)])];
  const reserving = inTransaction(context, owner, async (tx, tell) => {
    // first, because another reservation of the same call waits here
    const made = await tx.maybeOne(sql.type(callRow)`
      insert into provider_calls as c (job, provider, owner, key_id, surface, capability, budgets, quoted, state)
      values (${job}, ${provider}, ${owner}, ${keyId}, ${surface}, ${capability}, ${sql.array(budgets, 'text')}, ${quoted}, 'reserved')
      on conflict (job, provider) do nothing
      returning ${callColumns}`);
    const known = made ?? (await lockCall(tx, call));
    const isOver = known.state === 'released' || isDecided(known);
    if (!made && !isOver) return await resume(tx, known);
    // all at once, else two of these could wait for each other
    await lockBudgets(tx, [...new Set([...known.budgets, ...budgets])]);
    // what was billed without the provider's word is not owed beside what this one will cost
    if (known.state === 'settled') await moveMoney(tx, known.budgets, { reserved: 0, spent: -(known.cost ?? 0) });
    await takeFrom(tx, budgets, quoted);
    await tell('spend.reserved', { ...eventData(call, known), usd: quoted / 1e6 });
    return made ?? (await reopen(tx, call, { budgets, quoted }));
  });
  return await reserving.catch((error: unknown) => {
    throw countRefusal(context, error);
  });
}

/** Goes on with an existing call. One that was unknown is held in full again: it may be made a second time. */
async function resume(tx: CommonQueryMethods, call: CallRow): Promise<CallRow> {
  if (call.state !== 'unknown') return call;
  if (call.held < call.quoted) await takeFrom(tx, call.budgets, call.quoted - call.held);
  return await reopen(tx, call, call);
}

async function reopen(
  tx: CommonQueryMethods,
  { job, provider }: CallName,
  { budgets, quoted }: Pick<CallRow, 'budgets' | 'quoted'>,
): Promise<CallRow> {
  return await tx.one(sql.type(callRow)`
    update provider_calls set state = 'reserved', budgets = ${sql.array([...budgets], 'text')}, quoted = ${quoted},
      held = null, cost = null, reason = null, ended_at = null, decided_by = null, decided_why = null
    where job = ${job} and provider = ${provider} returning ${callColumns}`);
}

/** Checks whether an operator or the rule has decided about its money; what its provider says later counts instead. */
function isDecided({ decidedBy }: CallRow): boolean {
  return decidedBy !== null;
}

export interface Settled {
  /** Millionths of a dollar. */
  readonly quoted: number;
  readonly cost: number;
  /** Budgets that hold more than their ceiling because the call cost more than was quoted. */
  readonly broken: readonly Budget[];
}

/**
 * Records what a call cost, in full, also where that is more than was quoted, and gives back its reservation. Once: a
 * call that is settled stays as it is.
 *
 * @throws AppError `not_found` for a call that was never reserved.
 */
export async function settle(
  context: Context,
  name: CallName,
  { cost, externalId }: { readonly cost: number; readonly externalId: string | null },
): Promise<Settled> {
  if (!Number.isSafeInteger(cost) || cost < 0)
    throw new RangeError(`cost: expected millionths of a dollar from 0, got ${cost}`);
  const { job, provider } = name;
  const settled = await settleCall(context)({ job, provider, cost, externalId });
  if (settled === null) throw neverReserved(name);
  const { quoted, paid, isPaid } = settled.call;
  const due = isPaid ? (paid ?? 0) : cost;
  const broken = due > quoted ? settled.budgets.filter(isBroken).toSorted((a, b) => (a.id < b.id ? -1 : 1)) : [];
  return { quoted, cost: due, broken };
}

function isBroken({ ceiling, reserved, spent }: Budget): boolean {
  return ceiling !== null && reserved + spent > ceiling;
}

/**
 * Gives the reservation of a call back that cost nothing, and what was billed for it without its provider's word. One
 * that is settled by its provider, or released, stays as it is.
 */
export async function release(context: Context, name: CallName, reason: string): Promise<void> {
  await change(context, name, async (tx, call, tell) => {
    const isOpen = call.state === 'reserved' || call.state === 'unknown';
    if (!isOpen && !isDecided(call)) return;
    const spent = call.state === 'settled' ? (call.cost ?? 0) : 0;
    await moveMoney(tx, call.budgets, { reserved: -call.held, spent: -spent });
    await end(tx, name, 'released', reason);
    await tell('spend.released', { ...eventData(name, call), usd: (call.held + spent) / 1e6, reason });
  });
}

/**
 * Marks that a call may have happened and its outcome is not known. What it may have cost stays reserved, until its
 * outcome comes after all, an operator decides, or the rule does (UNKNOWN_CALL_HOURS).
 *
 * @param most millionths of a dollar that it can have cost; all that it was quoted at unless it is less
 */
export async function markUnknown(
  context: Context,
  name: CallName,
  reason: string,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  await change(context, name, async (tx, call, tell) => {
    if (call.state !== 'reserved') return;
    const held = Math.min(call.held, Math.max(0, most));
    if (held < call.held) await moveMoney(tx, call.budgets, { reserved: held - call.held, spent: 0 });
    await end(tx, name, 'unknown', reason, held);
    await tell('spend.unknown', { ...eventData(name, call), usd: held / 1e6, reason });
  });
}

/** Keeps the provider's own name for a call while it is under way. */
export async function nameCall(
  { db }: Pick<Context, 'db'>,
  { job, provider }: CallName,
  externalId: string,
): Promise<void> {
  await db.query(
    sql.unsafe`update provider_calls set external_id = ${externalId} where job = ${job} and provider = ${provider}`,
  );
}

/** The calls that a job has made or means to make, in the order in which they were first reserved. */
export async function readCalls({ db }: { readonly db: CommonQueryMethods }, job: string): Promise<readonly CallRow[]> {
  return await db.any(sql.type(callRow)`
    select ${callColumns} from provider_calls where job = ${job} order by created_at, provider`);
}

type Tell = (type: OwnerEventType, data: Readonly<Record<string, unknown>>) => Promise<void>;

async function inTransaction<T>(
  context: Context,
  owner: string,
  work: (tx: DatabaseTransactionConnection, tell: Tell) => Promise<T>,
): Promise<T> {
  const events: OwnerEvent[] = [];
  const answer = await context.db.transaction(
    async (tx) => await work(tx, async (type, data) => void events.push(await tellOwner(tx, owner, type, data))),
  );
  if (events.length > 0) await publishOwnerEvents(context, owner, events);
  return answer;
}

/** Changes a call under the lock of its row. */
async function change<T>(
  context: Context,
  name: CallName,
  work: (tx: DatabaseTransactionConnection, call: CallRow, tell: Tell) => Promise<T>,
): Promise<T> {
  const { job, provider } = name;
  const owned = await context.db.maybeOneFirst(sql.type(row(Type.Object({ owner: Type.String() })))`
    select owner from provider_calls where job = ${job} and provider = ${provider}`);
  if (owned === null) throw neverReserved(name);
  return await inTransaction(context, owned, async (tx, tell) => {
    return await work(tx, await lockCall(tx, name), tell);
  });
}

async function lockCall(tx: CommonQueryMethods, { job, provider }: CallName): Promise<CallRow> {
  return await tx.one(sql.type(callRow)`
    select ${callColumns} from provider_calls where job = ${job} and provider = ${provider} for update`);
}

function neverReserved({ job, provider }: CallName): AppError {
  return new AppError('not_found', `No call of ${provider} was reserved by the job ${job}.`, { job, provider });
}

async function end(
  tx: CommonQueryMethods,
  { job, provider }: CallName,
  state: 'released' | 'unknown',
  reason: string,
  held: number | null = null,
): Promise<void> {
  await tx.query(sql.unsafe`
    update provider_calls set state = ${state}, reason = ${reason}, held = ${held}, cost = null, ended_at = now(),
      decided_by = null, decided_why = null
    where job = ${job} and provider = ${provider}`);
}

function eventData({ job, provider }: CallName, { surface, capability }: CallRow): Readonly<Record<string, unknown>> {
  return { job, provider, surface, capability };
}
