import Type, { type Static } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { TextResult } from '#queues/platform.ts';
import { markUnknown, release, reserve, settle } from '#src/governance/budgets.ts';
import { EffectRefused, runEffect, type Sent, sendIntended } from '#src/jobs/effects.ts';
import { StopReason } from '#src/jobs/stop-reason.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import {
  type Admission,
  admit,
  busyFor,
  type CallOutcome,
  countCost,
  report,
  reportBegun,
} from '#src/providers/breaker.ts';
import { takePlace } from '#src/providers/concurrency.ts';
import { effectNames } from '#src/providers/paying-effects.ts';
import { mostCost } from '#src/providers/quote.ts';
import { boundAnswer } from '#src/providers/text/bound-answer.ts';
import { streamText } from '#src/providers/text/stream-text.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { askedOf, billOf } from './bill-text.ts';
import { type GatheredText, gatherText } from './gather-text.ts';
import type { TextLeg } from './route-text.ts';
import type { TextWork } from './text-work.ts';

const capability = 'text.generate';

/** One turn under way, whoever runs it. */
export interface Turn {
  readonly context: Context;
  readonly job: { readonly id: string; readonly owner: string; readonly attempt: number };
  readonly keyId: string | null;
  readonly work: TextWork;
  /** Under which its calls are reserved, beside those of the month. */
  readonly budgets: readonly string[];
  readonly signal: AbortSignal;
  /** Told each piece as it comes; the next one waits for it. */
  readonly hear: (delta: TextDelta) => unknown;
  /** Longest wait for a provider that is full, before another is asked. */
  readonly patienceMs: number;
  /** Whether the whole message is kept, for whoever asks for it later. */
  readonly keeps: boolean;
  /** Makes the job with this leg as its first call, where that is not done yet; answers whether it was now. */
  readonly begin: (leg: TextLeg) => Promise<boolean>;
}

/** What is kept of a call that was made. */
const Outcome = Type.Object({
  /** Null where it did not come to its end. */
  result: Type.Union([TextResult, Type.Null()]),
  /** Millionths of a dollar. */
  billed: Type.Integer({ minimum: 0, maximum: mostCost }),
  /** Why it did not. */
  lost: Type.Optional(Type.Object({ code: Type.Unsafe<AppError['code']>({ type: 'string' }), message: Type.String() })),
});
export type Outcome = Static<typeof Outcome>;

/** Another provider may do better. */
const goesOn: ReadonlySet<string> = new Set(['provider_failed', 'unavailable', 'rate_limited']);

/**
 * Has one provider write the turn: reserves what it was quoted at, calls it, and settles what it cost. A call that breaks
 * off after its first piece, or that nobody waits for any more, is paid by what came of it. Answers why the next provider
 * may be asked where nothing came.
 *
 * @throws AppError `budget_exceeded`, `provider_refused`, `outcome_unknown`; what the turn ended with after it had begun.
 */
export async function callText(
  turn: Turn,
  leg: TextLeg,
): Promise<TextResult | { readonly reason: string; readonly waitMs?: number }> {
  const { context, signal } = turn;
  const { provider } = leg;
  const admission = await admit(context, provider, capability, leg.closedAt);
  if (!admission.admitted) return admission;
  let outcome: CallOutcome = 'cancelled';
  let busyMs: number | null = null;
  try {
    await using _place = await takePlace(context, provider, signal, turn.patienceMs);
    const made = await make(tellingBegun(turn, admission), leg);
    outcome = made.lost === undefined ? 'succeeded' : outcomeOf(made.lost.code);
    await settle(context, { job: turn.job.id, provider: provider.id }, { cost: made.billed, externalId: null });
    countCost(context, { provider: provider.id, capability, surface: 'platform', cost: made.billed });
    return resultOf(made, provider.id);
  } catch (error) {
    busyMs = busyFor(error);
    if (outcome === 'cancelled' && !signal.aborted && error instanceof AppError)
      outcome = busyMs === null ? outcomeOf(error.code) : 'busy';
    if (signal.aborted || !(error instanceof AppError) || !goesOn.has(error.code) || error instanceof Ended)
      throw error;
    const seconds = error.details['retry_after_seconds'];
    return { reason: error.message, ...(typeof seconds === 'number' && { waitMs: seconds * 1_000 }) };
  } finally {
    await report(context, admission, outcome, busyMs ?? 0);
  }
}

/** A call that tries a provider shows with its first piece that it answers: others need not wait for its end. */
function tellingBegun(turn: Turn, admission: Admission): Turn {
  if (!admission.isProbe) return turn;
  let isTold = false;
  const hear: Turn['hear'] = async (delta) => {
    if (!isTold) {
      isTold = true;
      await reportBegun(turn.context, admission);
    }
    await turn.hear(delta);
  };
  return { ...turn, hear };
}

/** What a turn ended with after it had begun: nobody else is asked. */
class Ended extends AppError {}

/** The result of a call that was made. @throws AppError with what it ended with instead */
export function resultOf({ result, lost, billed }: Outcome, provider: string): TextResult {
  if (result !== null) return result;
  throw new Ended(lost?.code ?? 'provider_failed', lost?.message ?? `${provider} did not come to an end.`, {
    provider,
    cost_micro_usd: billed,
  });
}

/** What was kept of a call; null where it is not known what was made: a human has said that it was. */
export function readOutcome(outcome: unknown): Outcome | null {
  return misfit(Outcome, outcome) ? null : (outcome as Outcome);
}

function outcomeOf(code: AppError['code']): CallOutcome {
  if (code === 'provider_refused') return 'refused';
  return code === 'provider_failed' ? 'failed' : 'cancelled';
}

async function make(turn: Turn, leg: TextLeg): Promise<Outcome> {
  const { context, job, keyId, work, budgets, signal } = turn;
  const provider = leg.provider.id;
  const effect = effectNames.exchange(provider);
  const send = async () => await speak(turn, leg);
  const askedAt = performance.now();
  const isFirst = await turn.begin(leg);
  if (!isFirst) {
    const call = { owner: job.owner, keyId, surface: 'platform' as const, capability, budgets, quoted: leg.quoted };
    await reserve(context, { job: job.id, provider, ...call });
  }
  try {
    const { outcome } = isFirst
      ? await sendIntended(context, job, effect, askedAt, send)
      : await runEffect(context, job, effect, work, { kind: 'neither', send }, signal);
    return readOutcome(outcome) ?? { result: null, billed: leg.quoted };
  } catch (error) {
    // of a job that goes on elsewhere the next attempt decides
    if (isHandedOn(signal) || !(error instanceof AppError) || error.code === 'stale_claim') throw error;
    const name = { job: job.id, provider };
    await (error instanceof EffectRefused ? release : markUnknown)(context, name, error.message);
    throw error;
  }
}

/** Whether the job goes on elsewhere: this process stops, or has lost it. */
function isHandedOn({ reason }: AbortSignal): boolean {
  return reason instanceof StopReason && reason.why !== 'cancelled';
}

/** The call itself. What broke off after something had come is an outcome too: it is paid for. */
async function speak(turn: Turn, leg: TextLeg): Promise<Sent> {
  const { context, job, signal, work, hear, keeps } = turn;
  const { provider, offered, maxTokens } = leg;
  const { request } = work;
  const asked = askedOf(request);
  const text = gatherText();
  const bill = () => billOf(offered.price, asked, maxTokens, text.read());
  const doubt = (what: string, facts: object) =>
    context.log.warn({ ...facts, job: job.id, provider: provider.id }, `a provider ${what}`);
  const calledAt = performance.now();
  let hasBegun = false;
  try {
    const deltas = streamText({ provider, offered, request, maxTokens, signal });
    for await (const delta of boundAnswer(deltas, { maxTokens, maxInputTokens: asked.mostTokens, doubt })) {
      if (!hasBegun)
        context.metrics.proofline_text_first_piece_seconds.observe(
          { provider: provider.id },
          (performance.now() - calledAt) / 1_000,
        );
      hasBegun = true;
      text.add(delta);
      await hear(delta);
    }
  } catch (error) {
    if (isHandedOn(signal) || !(hasBegun || signal.aborted)) throw error;
    const { code, message } = describeError(signal.aborted ? asCancelled(signal.reason) : error);
    countTokens(turn, provider.id, text.read());
    return kept({ result: null, billed: bill(), lost: { code, message } });
  }
  const said = text.read();
  const billed = bill();
  countTokens(turn, provider.id, said);
  const result: TextResult = {
    provider: provider.id,
    model: offered.model,
    finish: said.finish ?? 'stop',
    usage: said.usage,
    costMicroUsd: billed,
    message: keeps ? said.message : null,
  };
  return kept({ result, billed });
}

function countTokens({ context: { metrics } }: Turn, provider: string, { usage }: GatheredText): void {
  metrics.proofline_text_tokens_total.inc({ provider, direction: 'in' }, usage?.inputTokens ?? 0);
  metrics.proofline_text_tokens_total.inc({ provider, direction: 'out' }, usage?.outputTokens ?? 0);
}

function kept(outcome: Outcome): Sent {
  return { externalId: null, outcome };
}

function asCancelled(reason: unknown): unknown {
  return reason instanceof StopReason ? new AppError('cancelled', 'The job was cancelled.') : reason;
}
