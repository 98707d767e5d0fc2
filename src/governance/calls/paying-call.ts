import type { MediaCapability } from '#queues/providers.ts';
import { microUsdText } from '#src/governance/budgets/budget-rows.ts';
import { type Call, markUnknown, release, reserve, type Settled, settle } from '#src/governance/budgets/budgets.ts';
import type { CallRow } from '#src/governance/budgets/call-row.ts';
import { type EffectOwner, effectStates } from '#src/jobs/effects/intents.ts';
import { CallerLeft, StopReason } from '#src/jobs/model/stop-reason.ts';
import { AppError, knownDetails } from '#src/lib/errors.ts';
import {
  type Admission,
  admit,
  busyFor,
  type CallOutcome,
  report,
  reportBegun,
} from '#src/providers/calls/admission.ts';
import { moneyAfter } from '#src/providers/calls/call-ends.ts';
import { takeSlot } from '#src/providers/calls/concurrency.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { leaveCall, whyNotAgain } from './leave-call.ts';

/** One call of a provider that costs, whatever it makes. */
export interface PayingCall {
  readonly context: Context;
  readonly job: EffectOwner & { readonly owner: string };
  /** Signal of the attempt that makes it. */
  readonly signal: AbortSignal;
  readonly provider: Provider;
  readonly capability: MediaCapability;
  /** Name of the effect that costs. */
  readonly effect: string;
  /**
   * True where its provider does the same thing once under our key: then a call that was left in the open is made
   * again.
   */
  readonly isIdempotent: boolean;
  readonly spend: Pick<Call, 'keyId' | 'surface' | 'budgets' | 'quoted'>;
  /** The call as an earlier attempt left it. */
  readonly earlier: CallRow | undefined;
  /** Time at which its circuit was seen closed, by `performance.now()`. */
  readonly closedAt?: number | null;
  /** Longest wait for a provider that is full; without end where it is not given. */
  readonly patienceMs?: number;
}

/** A call that may be made now: its circuit lets it, and it has a place at its provider. To be paid or closed. */
export interface OpenCall {
  readonly call: PayingCall;
  /** Null of a call that is under way already, and looked after whatever its circuit says. */
  readonly admission: Admission | null;
  readonly place: AsyncDisposable;
}

/** Reason why the next provider may be called; `unpaid` where a budget refused this one. */
export interface NotCalled {
  readonly reason: string;
  /** Milliseconds until the provider may be called again, where that is known. */
  readonly waitMs?: number;
  readonly unpaid?: AppError;
}

/** Outcome of a call that was made. */
export interface Made<T> {
  /** Null where it is not known what was made, though it was paid. */
  readonly value: T | null;
  /** Millionths of a dollar; null where the provider does not say: then its quote. */
  readonly cost: number | null;
  /** The provider's own name for it. */
  readonly externalId: string | null;
  /** Why the value, which was paid for, cannot be given. */
  readonly lost?:
    | (Pick<AppError, 'code' | 'message'> & { readonly details?: Readonly<Record<string, unknown>> })
    | undefined;
  /** Outcome to report to its provider's circuit. */
  readonly says: CallOutcome;
}

/** Error of a call whose answer had begun to be passed on: no other provider is called. */
export class NoNextProvider extends AppError {}

/** An error that leaves its call to the next attempt as it is; `cause` is the one to throw. */
export class LeaveCallOpen extends Error {}

/**
 * Outcomes that errors of a call report to its provider's circuit, and whether the next provider may be called. Any
 * other error reports nothing, and ends the attempt.
 */
const errorEnds: Readonly<
  Partial<Record<AppError['code'], { readonly says: CallOutcome; readonly asksNext: boolean }>>
> = {
  provider_failed: { says: 'failed', asksNext: true },
  unavailable: { says: 'failed', asksNext: true },
  rate_limited: { says: 'failed', asksNext: true },
  media_unavailable: { says: 'failed', asksNext: true },
  thread_failed: { says: 'failed', asksNext: true },
  provider_refused: { says: 'refused', asksNext: false },
};

/** The call is not ours to decide: another attempt holds it. */
const notOurs: ReadonlySet<string> = new Set(['stale_claim', 'state_conflict']);

/** Checks whether a call may be made now, and waits for its place. @throws the signal's reason */
export async function openCall(call: PayingCall): Promise<OpenCall | NotCalled> {
  const { context, job, signal, provider, capability, effect, isIdempotent, earlier } = call;
  const whyNot = isIdempotent ? null : await whyNotAgain(context, job.id, earlier, effect);
  if (whyNot !== null) return { reason: whyNot };
  const verdict = await admit(context, provider, capability, call.closedAt ?? null);
  const isUnderWay = earlier?.state === 'reserved' || earlier?.state === 'settled';
  if (!verdict.admitted && !isUnderWay) return verdict;
  const admission = verdict.admitted ? verdict : null;
  try {
    return { call, admission, place: await takeSlot(context, provider, signal, call.patienceMs) };
  } catch (error) {
    if (admission) await report(context, admission, 'cancelled');
    if (signal.aborted || !(error instanceof AppError && error.code === 'rate_limited')) throw error;
    return notCalled(error);
  }
}

/** Gives back the place of a call, and reports to its circuit how it ended. */
export async function closeCall({ call, admission, place }: OpenCall, says: CallOutcome, busyMs = 0): Promise<void> {
  await place[Symbol.asyncDispose]();
  if (admission) await report(call.context, admission, says, busyMs);
}

/** Instructions for making an open call. */
export interface Making<T> {
  /**
   * Makes it, at most once, by an effect of its job.
   *
   * @param begun to be called when its answer begins: others need not wait for its end to know that its provider
   *   answers
   */
  readonly make: (begun: () => Promise<void>) => Promise<Made<T>>;
  /** True where its quote is reserved already, with the job that it is the first call of. */
  readonly isReserved?: boolean;
  /** Most that it can have cost by now, where that is less than its quote. */
  readonly most?: () => number | undefined;
  /** True once its cost, within its quote, is left to be written with the end of its job. */
  readonly isPaidLater?: () => boolean;
}

/**
 * Makes and pays an open call, and closes it: reserves what it was quoted at, has it made, settles what it cost. Where
 * it ends badly, its money goes as the table of `callEnds` says. Answers what was made, or why the next provider may be
 * called.
 *
 * @throws AppError `budget_exceeded` where its bill breaks a budget; {@link NoNextProvider}; what it ended with where no other
 *   provider is called; the signal's reason
 */
export async function payCall<T>(open: OpenCall, making: Making<T>): Promise<{ readonly value: T } | NotCalled> {
  const { call, admission } = open;
  let says: CallOutcome = 'cancelled';
  let busyMs: number | null = null;
  try {
    const quoted = making.isReserved === true ? call.spend.quoted : await reserveCall(call);
    if (typeof quoted !== 'number') return quoted;
    const wasIntended = call.isIdempotent && (await stateOf(call)) === 'intended';
    let made: Made<T>;
    try {
      made = await making.make(async () => {
        if (admission?.isProbe) await reportBegun(call.context, admission);
      });
    } catch (error) {
      busyMs = busyFor(error);
      says = saidBy(call.signal, error, busyMs !== null);
      return await leave(call, error, making.most?.(), wasIntended);
    }
    says = made.says;
    if (making.isPaidLater?.() === true && made.value !== null) return { value: made.value };
    return await pay(call, quoted, made);
  } finally {
    await closeCall(open, says, busyMs ?? 0);
  }
}

/** Reserves the quote and returns it; or returns the refusal of a budget, which a cheaper provider may fit. */
async function reserveCall({ context, job, provider, capability, spend }: PayingCall): Promise<number | NotCalled> {
  try {
    const { quoted } = await reserve(context, {
      job: job.id,
      provider: provider.id,
      owner: job.owner,
      capability,
      ...spend,
    });
    return quoted;
  } catch (error) {
    if (error instanceof AppError && error.code === 'budget_exceeded') return { reason: error.message, unpaid: error };
    throw error;
  }
}

async function pay<T>(
  { context, job, provider: { id } }: PayingCall,
  quoted: number,
  { value, cost, externalId, lost }: Made<T>,
): Promise<{ readonly value: T } | NotCalled> {
  const paid = cost ?? quoted;
  const settled = await settle(context, { job: job.id, provider: id }, { cost: paid, externalId });
  if (settled.broken.length > 0) throw overspent(id, settled);
  if (lost) throw lostAnswer(lost, id, paid);
  return value === null ? { reason: 'it was paid, and what it made is lost' } : { value };
}

/** The error of an answer that was paid and cannot be given. */
export function lostAnswer(
  { code, message, details }: NonNullable<Made<unknown>['lost']>,
  provider: string,
  paid: number,
): NoNextProvider {
  return new NoNextProvider(code, message, knownDetails({ ...details, provider, cost_micro_usd: paid }));
}

function overspent(provider: string, { quoted, cost, broken }: Settled): AppError {
  const [first] = broken;
  const { id, ceiling, spent, reserved } = first ?? { id: '', ceiling: 0, spent: 0, reserved: 0 };
  return new AppError(
    'budget_exceeded',
    `expected ${provider} to bill at most the ${microUsdText(quoted)} that it was quoted at, got ${microUsdText(cost)}: the budget ${id} of ${microUsdText(ceiling ?? 0)} holds ${microUsdText(spent)} spent and ${microUsdText(reserved)} reserved now.`,
    { provider, quoted, cost, budgets: broken },
  );
}

function saidBy(signal: AbortSignal, error: unknown, isBusy: boolean): CallOutcome {
  if (signal.aborted || !(error instanceof AppError)) return 'cancelled';
  return isBusy ? 'busy' : (errorEnds[error.code]?.says ?? 'cancelled');
}

/**
 * Decides what a call that was not made leaves behind. Its reservation is given back where nothing was done for
 * certain, stays where something may have been, and waits for the next attempt where there will be one.
 *
 * @param wasIntended an earlier try of the same call may have been made
 */
async function leave(
  call: PayingCall,
  error: unknown,
  most: number | undefined,
  wasIntended: boolean,
): Promise<NotCalled> {
  const { context, job, signal } = call;
  const name = { job: job.id, provider: call.provider.id };
  if (isOver(signal)) {
    const state = (await stateOf(call)) ?? 'failed';
    const isNothing = state === 'failed' || (moneyAfter(error) === 'released' && !wasIntended);
    const reason = 'the job was cancelled';
    await (isNothing ? release(context, name, reason) : markUnknown(context, name, reason, most));
  }
  if (signal.aborted) throw signal.reason;
  if (error instanceof LeaveCallOpen) throw error.cause;
  if (!(error instanceof AppError) || notOurs.has(error.code)) throw error;
  await leaveCall(context, name, error, { mayBeEarlier: wasIntended, ...(most !== undefined && { most }) });
  if (error instanceof NoNextProvider || errorEnds[error.code]?.asksNext !== true) throw error;
  return notCalled(error);
}

function notCalled({ message, details }: AppError): NotCalled {
  const seconds = details['retry_after_seconds'];
  return { reason: message, ...(typeof seconds === 'number' && { waitMs: seconds * 1_000 }) };
}

async function stateOf({ context, job, effect }: PayingCall) {
  return (await effectStates(context, job.id, [effect])).get(effect);
}

/** Checks whether the job's caller no longer wants it; a drain or a lost lease leave its calls to the next attempt. */
export function isOver({ reason }: AbortSignal): boolean {
  return reason instanceof CallerLeft || (reason instanceof StopReason && reason.why === 'cancelled');
}

/** Checks whether the job goes on elsewhere: this process stops, or has lost it. */
export function isHandedOn({ reason }: AbortSignal): boolean {
  return reason instanceof StopReason && reason.why !== 'cancelled';
}
