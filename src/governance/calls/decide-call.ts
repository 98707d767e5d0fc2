import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { microUsdText, moveMoney } from '#src/governance/budgets/budget-rows.ts';
import { type CallName, type CallRow, callColumns, callRow } from '#src/governance/budgets/call-row.ts';
import { type OwnerEvent, publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { noteCallDecision } from './call-decisions.ts';

/** Decision about the money of a call whose outcome is unknown. */
export type Decision =
  | { readonly end: 'written_off' }
  /** Millionths of a dollar, from 0. */
  | { readonly end: 'billed'; readonly cost: number };

export interface Decider {
  /** The owner of the key or session of an operator, or {@link theRule}. */
  readonly by: string;
  readonly why: string | null;
  /** The request that decided; none where the rule did. */
  readonly requestId?: string;
}

/** Decides as UNKNOWN_CALL_END says. */
export const theRule = 'rule:UNKNOWN_CALL_END';

/**
 * Writes an unknown call off, or bills it at an amount: its hold ends, whatever the ceilings. Repeating it changes
 * nothing, and a decision may be replaced by another one; what the provider says later counts instead of either, so no
 * call is ever paid twice. Each decision is kept, also one that was replaced.
 *
 * @param only says of the call, under its lock, whether it is still to be decided; it stays as it is otherwise
 * @throws AppError `not_found`, or `state_conflict` for a call that is under way or whose outcome is known.
 */
export async function decideCall(
  context: Context,
  name: CallName,
  decision: Decision,
  { by, why, requestId }: Decider,
  only: (call: CallRow) => boolean = () => true,
): Promise<CallRow> {
  const cost = decision.end === 'billed' ? decision.cost : 0;
  if (!Number.isSafeInteger(cost) || cost < 0)
    throw new RangeError(`cost: expected millionths of a dollar from 0, got ${cost}`);
  const { was, now, event } = await context.db.transaction(async (tx) => {
    const call = await lock(tx, name);
    if (!only(call) || isDecidedSo(call, decision)) return { was: call, now: call, event: null };
    assertOpen(call);
    const before = call.state === 'settled' ? (call.cost ?? 0) : 0;
    await moveMoney(tx, await thatAreLeft(tx, call.budgets), { reserved: -call.held, spent: cost - before });
    const decided = await tx.one(sql.type(callRow)`
      update provider_calls set state = ${decision.end === 'billed' ? 'settled' : 'released'},
        cost = ${decision.end === 'billed' ? cost : null}, held = null, ended_at = now(), decided_by = ${by}, decided_why = ${why}
      where job = ${name.job} and provider = ${name.provider} returning ${callColumns}`);
    await noteCallDecision(tx, name, { decision: decision.end, cost, by, why, requestId: requestId ?? null });
    return { was: call, now: decided, event: await tell(tx, call, decided) };
  });
  if (event === null) return now;
  await publishOwnerEvents(context, now.owner, [event]);
  count(context, was, now);
  context.log.warn(
    {
      audit: `call.${decision.end}`,
      ...name,
      by,
      why,
      request: requestId,
      owner: now.owner,
      held: microUsdText(was.held),
      cost: microUsdText(cost),
    },
    `an unknown call was ${decision.end === 'billed' ? 'billed' : 'written off'}`,
  );
  return now;
}

async function lock(tx: CommonQueryMethods, { job, provider }: CallName): Promise<CallRow> {
  const call = await tx.maybeOne(sql.type(callRow)`
    select ${callColumns} from provider_calls where job = ${job} and provider = ${provider} for update`);
  if (call) return call;
  throw new AppError('not_found', `expected a call of a provider by a job, got none of ${provider} by ${job}.`, {
    job,
    provider,
  });
}

function isDecidedSo({ decidedBy, state, cost }: CallRow, decision: Decision): boolean {
  if (decidedBy === null) return false;
  return decision.end === 'billed' ? state === 'settled' && cost === decision.cost : state === 'released';
}

function assertOpen({ job, provider, state, cost, decidedBy }: CallRow): void {
  if (state === 'unknown' || decidedBy !== null) return;
  const known = {
    reserved: 'that is under way: what comes of it is not decided yet',
    settled: `of which ${provider} itself has said that it cost ${microUsdText(cost ?? 0)}`,
    released: 'that cost nothing',
  }[state];
  throw new AppError('state_conflict', `expected a call whose outcome is unknown, got one ${known}.`, {
    job,
    provider,
    state,
  });
}

/** Budgets of single jobs may be forgotten by then. */
async function thatAreLeft(tx: CommonQueryMethods, ids: readonly string[]): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(row(Type.Object({ id: Type.String() })))`
    select id from budgets where id = any(${sql.array([...ids], 'text')}) order by id`);
}

async function tell(tx: CommonQueryMethods, was: CallRow, now: CallRow): Promise<OwnerEvent> {
  const { job, provider, surface, capability, quoted, cost, decidedBy } = now;
  const about = { job, provider, surface, capability, decidedBy: decidedBy === theRule ? 'rule' : 'operator' };
  if (now.state === 'released')
    return await tellOwner(tx, now.owner, 'spend.released', {
      ...about,
      usd: (was.held + (was.cost ?? 0)) / 1e6,
      reason: 'it was written off',
    });
  const instead = was.state === 'settled' ? { insteadOfUsd: (was.cost ?? 0) / 1e6 } : {};
  const data = { ...about, usd: (cost ?? 0) / 1e6, quotedUsd: quoted / 1e6, ...instead };
  return await tellOwner(tx, now.owner, 'spend.settled', data);
}

function count({ metrics }: Context, was: CallRow, { provider, capability, surface, cost }: CallRow): void {
  const added = Math.max(0, (cost ?? 0) - (was.cost ?? 0));
  metrics.proofline_provider_cost_dollars_total.inc({ provider, capability, surface }, added / 1e6);
}
