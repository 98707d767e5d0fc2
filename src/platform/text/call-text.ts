import Type, { type Static } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { TextResult } from '#queues/platform.ts';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import {
  Ended,
  isHandedOn,
  type Made,
  type NotCalled,
  type OpenCall,
  openCall,
  payCall,
} from '#src/governance/calls/paying-call.ts';
import { runEffect, type Sent, sendIntended } from '#src/jobs/effects/effects.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import { mostCost } from '#src/providers/routing/quote.ts';
import { boundAnswer } from '#src/providers/text/bound-answer.ts';
import { type GatheredText, gatherText } from '#src/providers/text/gather-text.ts';
import { streamText } from '#src/providers/text/stream-text.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { askedOf, billOf, mostOf } from './bill-text.ts';
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
type Outcome = Static<typeof Outcome>;

/** Asks whether a leg may be called now, and waits for its place. @throws the signal's reason */
export async function openLeg(turn: Turn, leg: TextLeg): Promise<OpenCall | NotCalled> {
  const { context, job, signal, keyId, budgets, patienceMs } = turn;
  const earlier = job.attempt === 1 ? undefined : (await readCalls(context, job.id)).find(isOf(leg));
  return await openCall({
    context,
    job,
    signal,
    provider: leg.provider,
    capability,
    effect: effectNames.exchange(leg.provider.id),
    isIdempotent: false,
    spend: { keyId, surface: 'platform', budgets, quoted: leg.quoted },
    earlier,
    closedAt: leg.closedAt,
    patienceMs,
  });
}

const isOf =
  ({ provider }: TextLeg) =>
  (call: { readonly provider: string }) =>
    call.provider === provider.id;

/**
 * Has one provider write the turn and pays it, see {@link payCall}. A call that nobody waits for any more is paid by what came
 * of it; of one that breaks off, what it can have cost is held.
 *
 * @param intendedAt `performance.now()` from before its reservation and the intent of its effect were written, where they
 *   were written with the job
 * @throws AppError `provider_refused`, `outcome_unknown`; what the turn ended with after it had begun.
 */
export async function callLeg(
  turn: Turn,
  leg: TextLeg,
  open: OpenCall,
  intendedAt: number | null,
): Promise<{ readonly value: TextResult } | NotCalled> {
  const heard: TextDelta[] = [];
  // told nothing before the answer is whole: one that breaks off is asked of the next provider
  const hear: Turn['hear'] = turn.isWhole ? (delta) => void heard.push(delta) : turn.hear;
  const call = openAnswer(turn, leg);
  const called = await payCall(open, {
    isReserved: intendedAt !== null,
    most: call.most,
    make: async (begun) => await make({ ...turn, hear }, leg, { call, begun, intendedAt }),
  });
  if ('value' in called) for (const delta of heard) await turn.hear(delta);
  return called;
}

interface Making {
  readonly call: Answer;
  readonly begun: () => Promise<void>;
  readonly intendedAt: number | null;
}

async function make(turn: Turn, leg: TextLeg, { call, begun, intendedAt }: Making): Promise<Made<TextResult>> {
  const { context, job, work, signal } = turn;
  const effect = effectNames.exchange(leg.provider.id);
  const send = async () => {
    try {
      return await streamFromProvider(turn, leg, call, begun);
    } catch (error) {
      const isTold = call.hasBegun() && !turn.isWhole && !isHandedOn(signal);
      throw isTold && error instanceof AppError ? new Ended(error.code, error.message, error.details, error) : error;
    }
  };
  const { outcome } =
    intendedAt === null
      ? await runEffect(context, job, effect, work, { kind: 'neither', send }, signal)
      : await sendIntended(context, job, effect, intendedAt, send);
  return madeOf(outcome, leg.provider.id);
}

/** What a call that was made has come to. Where nobody can say, a human has said that it was made. */
export function madeOf(outcome: unknown, provider: string): Made<TextResult> {
  const known = misfit(Outcome, outcome) ? null : (outcome as Outcome);
  const { result = null, billed = null, lost } = known ?? {};
  if (result !== null) return { value: result, cost: billed, externalId: null, says: 'succeeded' };
  const unsaid = { code: 'provider_failed' as const, message: `${provider} did not come to an end.` };
  return { value: null, cost: billed, externalId: null, lost: lost ?? unsaid, says: 'cancelled' };
}

/** What has come of a call, and what that costs in millionths of a dollar. */
function openAnswer({ work: { request } }: Turn, { offered: { price }, maxTokens }: TextLeg) {
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
type Answer = ReturnType<typeof openAnswer>;

/** Our side ended the call, and not its provider. */
class Left extends Error {}

/** The call itself. What was left after something had come is an outcome too: it is paid for. */
async function streamFromProvider(turn: Turn, leg: TextLeg, call: Answer, begun: () => Promise<void>): Promise<Sent> {
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
      if (!call.hasBegun()) {
        context.metrics.proofline_text_first_piece_seconds.observe({ provider: provider.id }, call.elapsedMs() / 1_000);
        await begun();
      }
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
