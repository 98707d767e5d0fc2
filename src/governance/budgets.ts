import { type CommonQueryMethods, type DatabaseTransactionConnection, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { MediaSurface } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { type Budget, moveMoney, takeFrom } from './budget-rows.ts';
import { countRefusal } from './count-refusal.ts';
import { monthlyBudgets } from './monthly-budgets.ts';
import type { OwnerEventType } from './owner-event-types.ts';
import { type OwnerEvent, publishOwnerEvents, tellOwner } from './owner-log.ts';
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

/** A job calls a provider at most once, so the two name the call. */
export interface CallName {
  readonly job: string;
  readonly provider: string;
}

export interface Call extends CallName {
  readonly owner: string;
  readonly keyId: string | null;
  readonly surface: MediaSurface;
  readonly capability: string;
  /** Under which it is reserved, beside those of the month. */
  readonly budgets: readonly string[];
  /** Millionths of a dollar. */
  readonly quoted: number;
}

const Standing = Type.Object({
  owner: Type.String(),
  provider: Type.String(),
  surface: Type.String(),
  capability: Type.String(),
  budgets: Type.Array(Type.String()),
  /** Millionths of a dollar. */
  quoted: Type.Integer(),
  /** What it cost, once that is known. */
  cost: Type.Union([Type.Integer(), Type.Null()]),
  state: Type.Unsafe<'reserved' | 'settled' | 'released' | 'unknown'>({
    enum: ['reserved', 'settled', 'released', 'unknown'],
  }),
  externalId: Type.Union([Type.String(), Type.Null()]),
  /** Why it was released, or is unknown. */
  reason: Type.Union([Type.String(), Type.Null()]),
});
/** A call as it stands. */
export type Standing = Static<typeof Standing>;

const standingRow = row(Standing);
const columns = sql.fragment`owner, provider, surface, capability, budgets, quoted, cost, state, external_id as "externalId", reason`;

/**
 * Reserves what a call was quoted at under each of its budgets and those of the month, in one transaction, so that what is
 * reserved and spent never passes a ceiling. A call that stands already (a process died after it had reserved) is not
 * reserved again; what may have happened may be tried again under the same reservation.
 *
 * @throws AppError `budget_exceeded` with the numbers, `not_found` for a budget that was never opened.
 */
export async function reserve(context: Context, call: Call): Promise<Standing> {
  const { job, provider, owner, keyId, surface, capability, quoted } = call;
  if (!Number.isSafeInteger(quoted) || quoted < 0)
    throw new RangeError(`quoted: expected millionths of a dollar from 0, got ${quoted}`);
  const monthly = monthlyBudgets(context.config, call, new Date());
  for (const { id, ceiling } of monthly) await openBudget(context.db, id, ceiling);
  const budgets = [...new Set([...call.budgets, ...monthly.map(({ id }) => id)])];
  const reserving = inTransaction(context, owner, async (tx, tell) => {
    // first, because whoever reserves the same call waits here
    const made = await tx.maybeOne(sql.type(standingRow)`
      insert into provider_calls as c (job, provider, owner, key_id, surface, capability, budgets, quoted, state)
      values (${job}, ${provider}, ${owner}, ${keyId}, ${surface}, ${capability}, ${sql.array(budgets, 'text')}, ${quoted}, 'reserved')
      on conflict (job, provider) do update
        set budgets = excluded.budgets, quoted = excluded.quoted, state = 'reserved', cost = null, reason = null, ended_at = null
        where c.state = 'released'
      returning ${columns}`);
    if (!made) return await resume(tx, call);
    await takeFrom(tx, budgets, quoted);
    await tell('spend.reserved', { ...told(call, made), usd: quoted / 1e6 });
    return made;
  });
  return await reserving.catch((error: unknown) => {
    throw countRefusal(context, error);
  });
}

async function resume(tx: CommonQueryMethods, { job, provider }: CallName): Promise<Standing> {
  return await tx.one(sql.type(standingRow)`
    update provider_calls set state = case when state = 'unknown' then 'reserved' else state end,
      ended_at = case when state = 'unknown' then null else ended_at end
    where job = ${job} and provider = ${provider} returning ${columns}`);
}

export interface Settled {
  /** Millionths of a dollar. */
  readonly quoted: number;
  readonly cost: number;
  /** Budgets that hold more than their ceiling because the call cost more than was quoted. */
  readonly broken: readonly Budget[];
}

/**
 * Records what a call cost, in full, also where that is more than was quoted, and gives back its reservation. Once: a call
 * that is settled stays as it is.
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
  const { quoted, paid, state } = settled.call;
  const due = state === 'settled' ? (paid ?? 0) : cost;
  const broken = due > quoted ? settled.budgets.filter(isBroken).toSorted((a, b) => (a.id < b.id ? -1 : 1)) : [];
  return { quoted, cost: due, broken };
}

function isBroken({ ceiling, reserved, spent }: Budget): boolean {
  return ceiling !== null && reserved + spent > ceiling;
}

/** Gives the reservation of a call back that cost nothing. One that is settled or released stays as it is. */
export async function release(context: Context, name: CallName, reason: string): Promise<void> {
  await change(context, name, async (tx, call, tell) => {
    if (call.state !== 'reserved' && call.state !== 'unknown') return;
    await moveMoney(tx, call.budgets, { reserved: -call.quoted, spent: 0 });
    await end(tx, name, 'released', reason);
    await tell('spend.released', { ...told(name, call), usd: call.quoted / 1e6, reason });
  });
}

/** Says that a call may have happened and nobody can tell: what was reserved for it stays reserved. */
export async function markUnknown(context: Context, name: CallName, reason: string): Promise<void> {
  await change(context, name, async (tx, call) => {
    if (call.state === 'reserved') await end(tx, name, 'unknown', reason);
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
export async function readCalls(
  { db }: { readonly db: CommonQueryMethods },
  job: string,
): Promise<readonly Standing[]> {
  return await db.any(sql.type(standingRow)`
    select ${columns} from provider_calls where job = ${job} order by created_at, provider`);
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
  work: (tx: DatabaseTransactionConnection, call: Standing, tell: Tell) => Promise<T>,
): Promise<T> {
  const { job, provider } = name;
  const owned = await context.db.maybeOneFirst(sql.type(row(Type.Object({ owner: Type.String() })))`
    select owner from provider_calls where job = ${job} and provider = ${provider}`);
  if (owned === null) throw neverReserved(name);
  return await inTransaction(context, owned, async (tx, tell) => {
    const call = await tx.one(sql.type(standingRow)`
      select ${columns} from provider_calls where job = ${job} and provider = ${provider} for update`);
    return await work(tx, call, tell);
  });
}

function neverReserved({ job, provider }: CallName): AppError {
  return new AppError('not_found', `No call of ${provider} was reserved by the job ${job}.`, { job, provider });
}

async function end(
  tx: CommonQueryMethods,
  { job, provider }: CallName,
  state: Standing['state'],
  reason: string,
): Promise<void> {
  await tx.query(sql.unsafe`
    update provider_calls set state = ${state}, reason = ${reason}, cost = null, ended_at = now()
    where job = ${job} and provider = ${provider}`);
}

function told({ job, provider }: CallName, { surface, capability }: Standing): Readonly<Record<string, unknown>> {
  return { job, provider, surface, capability };
}
