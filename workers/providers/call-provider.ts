import type { generate } from '#queues/providers.ts';
import { usd } from '#src/governance/budgets/budget-rows.ts';
import { markUnknown, release, reserve, type Settled, settle } from '#src/governance/budgets/budgets.ts';
import type { Standing } from '#src/governance/budgets/call-row.ts';
import { leaveCall, whyNotAgain } from '#src/governance/calls/leave-call.ts';
import { effectStates } from '#src/jobs/effects/effects.ts';
import { AppError, describeError, knownDetails } from '#src/lib/errors.ts';
import { busyFor, type CallOutcome } from '#src/providers/calls/breaker.ts';
import { moneyAfter } from '#src/providers/calls/call-ends.ts';
import type { Adapter } from '#src/providers/catalogue/adapter.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Run } from '#workers/run/processor.ts';
import { NotKept } from './keep-produced.ts';
import { isCancelled, type Made, type Making, make, payingEffect, repeatOf } from './make.ts';
import type { Parts } from './parts.ts';

/** What became of a call: something was made, or the next provider may be asked; `unpaid` where a budget refused it. */
export type Called = { readonly made: Made } | { readonly reason: string; readonly unpaid?: AppError };

/** Another provider may do better. */
const goesOn: ReadonlySet<string> = new Set([
  'provider_failed',
  'unavailable',
  'media_unavailable',
  'rate_limited',
  'thread_failed',
]);

/** Says that the call is not ours to decide: another attempt holds it. */
const notOurs: ReadonlySet<string> = new Set(['stale_claim', 'state_conflict']);

/**
 * Calls one provider of the route: reserves what it was quoted at, has it make what is wanted, and settles what it cost.
 * One that the budgets cannot pay is passed over.
 *
 * @param standing the call as an earlier attempt left it
 * @throws AppError `budget_exceeded`, `provider_refused`, `outcome_unknown`; whatever the next attempt may mend.
 */
export async function callProvider(
  given: Omit<Making, 'provider' | 'adapter'>,
  { provider: id, quoted }: { readonly provider: string; readonly quoted: number },
  standing: Standing | undefined,
): Promise<Called> {
  const { parts, run } = given;
  const { context, job, payload, signal } = run;
  const { capability, surface, keyId, budgets } = payload;
  const provider = parts.catalogueOf(context).find((one) => one.id === id);
  if (!provider?.capabilities[capability])
    return await cannot(run, id, standing, `the catalogue has no ${id} that offers ${capability}`);
  const adapter = adapterFor(parts, provider);
  if (typeof adapter === 'string') return await cannot(run, id, standing, adapter);
  const making = { ...given, provider, adapter };
  const isIdempotent = repeatOf(making) === 'idempotent';
  const whyNot = isIdempotent ? null : await whyNotAgain(context, job.id, standing, payingEffect(making));
  if (whyNot !== null) return { reason: whyNot };
  const admission = await parts.admit(context, provider, capability);
  // what is under way is looked after, whatever its provider did to others meanwhile
  if (!admission.admitted && standing?.state !== 'reserved' && standing?.state !== 'settled')
    return { reason: admission.reason };
  let outcome: CallOutcome = 'cancelled';
  let busyMs: number | null = null;
  try {
    await using _place = await parts.takePlace(context, provider, signal);
    const call = { job: job.id, provider: id, owner: job.owner, keyId, surface, capability, budgets, quoted };
    const reserved = await reserve(context, call).catch(unpaid);
    if (reserved instanceof AppError) return { reason: reserved.message, unpaid: reserved };
    const effect = payingEffect(making);
    const before = await effectStates(context, job.id, [effect]);
    run.log.info('calling a provider', { provider: id, capability, quoted: usd(quoted) });
    try {
      const made = await make(making);
      outcome = 'succeeded';
      run.log.info('the provider has answered', { provider: id, capability });
      return await pay(making, reserved, made);
    } catch (error) {
      if (outcome === 'succeeded') throw error;
      busyMs = busyFor(error);
      outcome = outcomeOf(error, signal, busyMs !== null);
      const { code, message } = describeError(error);
      run.log.warn('the provider did not do it', { provider: id, capability, outcome, code, message });
      return await giveUp(making, error, before.get(effect) === 'intended');
    }
  } finally {
    if (admission.admitted) await parts.report(context, admission, outcome, busyMs ?? 0);
  }
}

/** The refusal of a budget: a cheaper provider may be paid. @throws any other error */
function unpaid(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'budget_exceeded') return error;
  throw error;
}

/** A provider that cannot be called here any more, perhaps after it had been called. */
async function cannot(
  { context, job }: Run<typeof generate>,
  provider: string,
  standing: Standing | undefined,
  reason: string,
): Promise<Called> {
  if (standing?.state === 'reserved') await markUnknown(context, { job: job.id, provider }, reason);
  return { reason };
}

/** How a provider is called, or why it cannot be. */
function adapterFor({ adapterOf }: Parts, { style }: Provider): Adapter | string {
  try {
    return adapterOf(style);
  } catch (error) {
    if (error instanceof AppError && error.code === 'media_unavailable') return error.message;
    throw error;
  }
}

async function pay(
  { run: { context, job }, provider: { id } }: Making,
  { quoted }: Standing,
  made: Made | null,
): Promise<Called> {
  const cost = made?.billed ?? quoted;
  const settled = await settle(context, { job: job.id, provider: id }, { cost, externalId: made?.externalId ?? null });
  if (settled.broken.length > 0) throw overspent(id, settled);
  if (made === null) return { reason: 'it was paid, and what it made is lost' };
  if (made.lost) {
    const { code, message, details } = made.lost;
    throw new AppError(code, message, knownDetails({ ...details, provider: id, cost }));
  }
  return { made };
}

function overspent(provider: string, { quoted, cost, broken }: Settled): AppError {
  const [first] = broken;
  const { id, ceiling, spent, reserved } = first ?? { id: '', ceiling: 0, spent: 0, reserved: 0 };
  return new AppError(
    'budget_exceeded',
    `expected ${provider} to bill at most the ${usd(quoted)} that it was quoted at, got ${usd(cost)}: the budget ${id} of ${usd(ceiling ?? 0)} holds ${usd(spent)} spent and ${usd(reserved)} reserved now.`,
    { provider, quoted, cost, budgets: broken },
  );
}

function outcomeOf(error: unknown, signal: AbortSignal, isBusy: boolean): CallOutcome {
  if (signal.aborted || !(error instanceof AppError)) return 'cancelled';
  if (isBusy) return 'busy';
  if (error.code === 'provider_refused') return 'refused';
  return goesOn.has(error.code) ? 'failed' : 'cancelled';
}

/**
 * Decides what a call that was not made leaves behind. Its reservation is given back where nothing was done for certain,
 * stays where something may have been, and waits for the next attempt where there will be one.
 *
 * @param wasOpen an earlier try of the same call may have been made
 */
async function giveUp(making: Making, error: unknown, wasOpen: boolean): Promise<Called> {
  const { run, provider } = making;
  const { context, job, signal } = run;
  const name = { job: job.id, provider: provider.id };
  const mayBeEarlier = wasOpen && repeatOf(making) === 'idempotent';
  if (isCancelled(signal)) {
    const effect = payingEffect(making);
    const state = (await effectStates(context, job.id, [effect])).get(effect) ?? 'failed';
    const reason = 'the job was cancelled';
    const isNothing = state === 'failed' || (moneyAfter(error) === 'released' && !mayBeEarlier);
    await (isNothing ? release(context, name, reason) : markUnknown(context, name, reason));
  }
  if (signal.aborted) throw signal.reason;
  if (error instanceof NotKept) throw error.cause;
  if (!(error instanceof AppError) || notOurs.has(error.code)) throw error;
  await leaveCall(context, name, error, { mayBeEarlier });
  if (goesOn.has(error.code)) return { reason: error.message };
  throw error;
}
