import Type, { type Static } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { TextResult } from '#queues/platform.ts';
import { readCalls, reserve, settle } from '#src/governance/budgets/budgets.ts';
import { leaveCall, whyNotAgain } from '#src/governance/calls/leave-call.ts';
import { runEffect, type Sent, sendIntended } from '#src/jobs/effects/effects.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { AppError, describeError, knownDetails } from '#src/lib/errors.ts';
import { type Admission, admit, busyFor, type CallOutcome, report, reportBegun } from '#src/providers/calls/breaker.ts';
import { takePlace } from '#src/providers/calls/concurrency.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import { mostCost } from '#src/providers/routing/quote.ts';
import { boundAnswer } from '#src/providers/text/bound-answer.ts';
import { streamText } from '#src/providers/text/stream-text.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { askedOf, billOf, mostOf } from './bill-text.ts';
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
  /** Whether `hear` is told nothing before the answer is whole: one that breaks off is asked of the next provider. */
  readonly isWhole: boolean;
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
  lost: Type.Optional(
    Type.Object({
      code: Type.Unsafe<AppError['code']>({ type: 'string' }),
      message: Type.String(),
      details: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })),
    }),
  ),
});
export type Outcome = Static<typeof Outcome>;

/** Another provider may do better. */
const goesOn: ReadonlySet<string> = new Set(['provider_failed', 'unavailable', 'rate_limited']);

/** The answer, or why the next provider may be asked; `unpaid` where a budget refused this one. */
type Called = TextResult | { readonly reason: string; readonly waitMs?: number; readonly unpaid?: AppError };

/**
 * Has one provider write the turn: reserves what it was quoted at, calls it, and settles what it cost. A call that nobody
 * waits for any more is paid by what came of it; of one that breaks off, what it can have cost is held. Answers why the
 * next provider may be asked where nothing was told of this one's answer.
 *
 * @throws AppError `provider_refused`, `outcome_unknown`; what the turn ended with after it had begun.
 */
export async function callText(turn: Turn, leg: TextLeg): Promise<Called> {
  if (!turn.isWhole) return await callOnce(turn, leg);
  const heard: TextDelta[] = [];
  const called = await callOnce({ ...turn, hear: (delta) => void heard.push(delta) }, leg);
  if (!('reason' in called)) for (const delta of heard) await turn.hear(delta);
  return called;
}

async function callOnce(turn: Turn, leg: TextLeg): Promise<Called> {
  const { context, job, signal } = turn;
  const { provider } = leg;
  const standing = (await earlierCalls(turn)).find((call) => call.provider === provider.id);
  const whyNot = await whyNotAgain(context, job.id, standing, effectNames.exchange(provider.id));
  if (whyNot !== null) return { reason: whyNot };
  const admission = await admit(context, provider, capability, leg.closedAt);
  if (!admission.admitted) return admission;
  let outcome: CallOutcome = 'cancelled';
  let busyMs: number | null = null;
  try {
    await using _place = await takePlace(context, provider, signal, turn.patienceMs);
    const made = await make(tellingBegun(turn, admission), leg);
    outcome = made.lost === undefined ? 'succeeded' : outcomeOf(made.lost.code);
    await settle(context, { job: job.id, provider: provider.id }, { cost: made.billed, externalId: null });
    return resultOf(made, provider.id);
  } catch (error) {
    busyMs = busyFor(error);
    if (outcome === 'cancelled' && !signal.aborted && error instanceof AppError)
      outcome = busyMs === null ? outcomeOf(error.code) : 'busy';
    if (error instanceof AppError && error.code === 'budget_exceeded') return { reason: error.message, unpaid: error };
    if (signal.aborted || !(error instanceof AppError) || !goesOn.has(error.code) || error instanceof Ended)
      throw error;
    const seconds = error.details['retry_after_seconds'];
    return { reason: error.message, ...(typeof seconds === 'number' && { waitMs: seconds * 1_000 }) };
  } finally {
    await report(context, admission, outcome, busyMs ?? 0);
  }
}

/** The calls of the attempts before this one. */
async function earlierCalls({ context, job }: Turn): ReturnType<typeof readCalls> {
  return job.attempt === 1 ? [] : await readCalls(context, job.id);
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
  const details = { ...lost?.details, provider, cost_micro_usd: billed };
  const message = lost?.message ?? `${provider} did not come to an end.`;
  throw new Ended(lost?.code ?? 'provider_failed', message, knownDetails(details));
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
  const call = openCall(turn, leg);
  const send = async () => await speak(turn, leg, call);
  const askedAt = performance.now();
  const isFirst = await turn.begin(leg);
  if (!isFirst) {
    const about = { owner: job.owner, keyId, surface: 'platform' as const, capability, budgets, quoted: leg.quoted };
    await reserve(context, { job: job.id, provider, ...about });
  }
  try {
    const { outcome } = isFirst
      ? await sendIntended(context, job, effect, askedAt, send)
      : await runEffect(context, job, effect, work, { kind: 'neither', send }, signal);
    return readOutcome(outcome) ?? { result: null, billed: leg.quoted };
  } catch (error) {
    // of a job that goes on elsewhere the next attempt decides
    if (isHandedOn(signal) || !(error instanceof AppError) || error.code === 'stale_claim') throw error;
    await leaveCall(context, { job: job.id, provider }, error, { most: call.most() });
    throw call.hasBegun() && !turn.isWhole ? new Ended(error.code, error.message, error.details, error) : error;
  }
}

/** Whether the job goes on elsewhere: this process stops, or has lost it. */
function isHandedOn({ reason }: AbortSignal): boolean {
  return reason instanceof StopReason && reason.why !== 'cancelled';
}

/** What has come of a call, and what that costs in millionths of a dollar. */
function openCall({ work: { request } }: Turn, { offered: { price }, maxTokens }: TextLeg) {
  const asked = askedOf(request);
  const text = gatherText();
  let calledAt = performance.now();
  let hasBegun = false;
  return {
    asked,
    read: text.read,
    begin: () => (calledAt = performance.now()),
    add: (delta: TextDelta) => {
      hasBegun = true;
      text.add(delta);
    },
    hasBegun: () => hasBegun,
    elapsedMs: () => performance.now() - calledAt,
    bill: () => billOf(price, asked, maxTokens, text.read()),
    most: () => mostOf(price, asked, maxTokens, text.read(), performance.now() - calledAt),
  };
}
type OpenCall = ReturnType<typeof openCall>;

/** Our side ended the call, and not its provider. */
class Left extends Error {}

/** The call itself. What was left after something had come is an outcome too: it is paid for. */
async function speak(turn: Turn, leg: TextLeg, call: OpenCall): Promise<Sent> {
  const { context, job, signal, work, hear, keeps } = turn;
  const { provider, offered, maxTokens } = leg;
  const doubt = (what: string, facts: object) =>
    context.log.warn({ ...facts, job: job.id, provider: provider.id }, `a provider ${what}`);
  const told = async (delta: TextDelta) => {
    try {
      await hear(delta);
    } catch (error) {
      throw new Left('nobody hears it', { cause: error });
    }
  };
  try {
    call.begin();
    const deltas = streamText({ provider, offered, request: work.request, maxTokens, signal });
    const bounds = { maxTokens, maxInputTokens: call.asked.mostTokens, doubt };
    for await (const delta of boundAnswer(deltas, bounds)) {
      if (!call.hasBegun())
        context.metrics.proofline_text_first_piece_seconds.observe({ provider: provider.id }, call.elapsedMs() / 1_000);
      call.add(delta);
      await told(delta);
    }
  } catch (error) {
    if (isHandedOn(signal)) throw error;
    countTokens(turn, provider.id, call.read());
    const why = signal.aborted ? asCancelled(signal.reason) : error instanceof Left ? error.cause : null;
    if (why === null) throw error;
    const { code, message, details } = describeError(why);
    return kept({ result: null, billed: call.bill(), lost: { code, message, details } });
  }
  const said = call.read();
  const billed = call.bill();
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
