import Type, { type Static } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { TextResult } from '#queues/platform.ts';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import {
  isHandedOn,
  type Made,
  NoNextProvider,
  type NotCalled,
  type OpenCall,
  openCall,
  payCall,
} from '#src/governance/calls/paying-call.ts';
import { runEffect, sendIntended } from '#src/jobs/effects/effects.ts';
import { decideEffect, type Sent } from '#src/jobs/effects/intents.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import { mostCost } from '#src/providers/routing/quote.ts';
import { boundAnswer } from '#src/providers/text/bound-answer.ts';
import { type GatheredText, gatherText } from '#src/providers/text/gather-text.ts';
import { streamText } from '#src/providers/text/stream-text.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { billOf, mostOf, sizeOf } from './bill-text.ts';
import type { TurnEnd } from './end-turn.ts';
import type { TextLeg } from './route-text.ts';
import type { TextWork } from './text-work.ts';

const capability = 'text.generate';

/** One turn under way, in whichever process. */
export interface Turn {
  readonly context: Context;
  readonly job: { readonly id: string; readonly owner: string; readonly attempt: number };
  readonly keyId: string | null;
  readonly work: TextWork;
  /** Under which its calls are reserved, beside those of the month. */
  readonly budgets: readonly string[];
  readonly signal: AbortSignal;
  /** Receives the pieces as they come, at least one at once; the next ones wait for it. */
  readonly onDeltas: (deltas: readonly TextDelta[]) => unknown;
  /** Longest wait for a provider that is full, in milliseconds, before the next is called. */
  readonly patienceMs: number;
  /**
   * True where `onDeltas` gets nothing before the answer is whole: a call that breaks off then goes on to the next
   * provider.
   */
  readonly isWhole: boolean;
  /** True where the whole message is stored for later requests. */
  readonly keeps: boolean;
  /** Takes what the first call leaves to be written with the end of its job; without it, it is written at once. */
  readonly end?: TurnEnd;
}

/** Stored outcome of a call that was made. */
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
 * Has one provider write the turn and pays it, see {@link payCall}. A call whose client has gone is paid by what came
 * of it; for one that breaks off, the most that it can have cost is held.
 *
 * @param intendedAt `performance.now()` from before its reservation and the intent of its effect were written, where
 *   they were written with the job
 * @throws AppError `provider_refused`, `outcome_unknown`; what the turn ended with after it had begun.
 */
export async function callLeg(
  turn: Turn,
  leg: TextLeg,
  open: OpenCall,
  intendedAt: number | null,
): Promise<{ readonly value: TextResult } | NotCalled> {
  const held: TextDelta[] = [];
  // nothing is passed on before the answer is whole: a call that breaks off goes on to the next provider
  const onDeltas: Turn['onDeltas'] = turn.isWhole ? (deltas) => void held.push(...deltas) : turn.onDeltas;
  const call = openAnswer(turn, leg);
  const called = await payCall(open, {
    isReserved: intendedAt !== null,
    most: call.most,
    isPaidLater: () => (turn.end?.open ?? null) !== null,
    make: async (begun) => await make({ ...turn, onDeltas }, leg, { call, begun, intendedAt }),
  });
  if ('value' in called && held.length > 0) await turn.onDeltas(held);
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
      const hasPublished = call.hasBegun() && !turn.isWhole && !isHandedOn(signal);
      throw hasPublished && error instanceof AppError
        ? new NoNextProvider(error.code, error.message, error.details, error)
        : error;
    }
  };
  const { outcome } =
    intendedAt === null
      ? await runEffect(context, job, effect, work, { kind: 'neither', send }, signal)
      : await sendIntended(context, job, effect, intendedAt, send, async (made) => await keep(turn, leg, made));
  return madeOf(outcome, leg.provider.id);
}

/** Records what came of a call: with the end of its job, where it has an end there and cost what it was quoted at. */
async function keep({ context, job, end }: Turn, { provider, quoted }: TextLeg, made: Sent): Promise<Sent> {
  const effect = effectNames.exchange(provider.id);
  const { result, billed } = made.outcome as Outcome;
  if (end === undefined || result === null || billed > quoted)
    return await decideEffect(context, job, effect, 'done', made);
  end.open = { effect, outcome: made.outcome, provider: provider.id, cost: billed };
  return made;
}

/** Reads the stored outcome of a call. Without one, an operator has recorded that the call was made. */
export function madeOf(outcome: unknown, provider: string): Made<TextResult> {
  const known = misfit(Outcome, outcome) ? null : (outcome as Outcome);
  const { result = null, billed = null, lost } = known ?? {};
  if (result !== null) return { value: result, cost: billed, externalId: null, says: 'succeeded' };
  const unsaid = { code: 'provider_failed' as const, message: `${provider} did not come to an end.` };
  return { value: null, cost: billed, externalId: null, lost: lost ?? unsaid, says: 'cancelled' };
}

/** Collects the pieces of a call's answer, and their cost in millionths of a dollar. */
function openAnswer({ work: { request } }: Turn, { offered: { price }, maxTokens }: TextLeg) {
  const size = sizeOf(request);
  const text = gatherText();
  let calledAt = performance.now();
  let hasBegun = false;
  return {
    size,
    read: text.read,
    begin: () => (calledAt = performance.now()),
    add: (delta: TextDelta) => {
      hasBegun = true;
      text.add(delta);
    },
    hasBegun: () => hasBegun,
    elapsedMs: () => performance.now() - calledAt,
    bill: () => billOf(price, size, maxTokens, text.read()),
    most: () => mostOf(price, size, maxTokens, text.read(), performance.now() - calledAt),
  };
}
type Answer = ReturnType<typeof openAnswer>;

/** Our side ended the call, and not its provider. */
class Left extends Error {}

/** The call itself. What was left after something had come is an outcome too: it is paid for. */
async function streamFromProvider(turn: Turn, leg: TextLeg, call: Answer, begun: () => Promise<void>): Promise<Sent> {
  const { context, job, signal, work, onDeltas, keeps } = turn;
  const { provider, offered, maxTokens } = leg;
  const doubt = (what: string, facts: object) =>
    context.log.warn({ ...facts, job: job.id, provider: provider.id }, `a provider ${what}`);
  const passOn = async (deltas: readonly TextDelta[]) => {
    try {
      await onDeltas(deltas);
    } catch (error) {
      throw new Left('the client has gone', { cause: error });
    }
  };
  try {
    call.begin();
    const answer = streamText({ provider, offered, request: work.request, maxTokens, signal });
    const bounds = { maxTokens, maxInputTokens: call.size.mostTokens, doubt };
    for await (const deltas of boundAnswer(answer, bounds)) {
      if (!call.hasBegun()) {
        context.metrics.proofline_text_first_piece_seconds.observe({ provider: provider.id }, call.elapsedMs() / 1_000);
        await begun();
      }
      for (const delta of deltas) call.add(delta);
      await passOn(deltas);
    }
  } catch (error) {
    if (isHandedOn(signal)) throw error;
    countTokens(turn, provider.id, call.read());
    const why = signal.aborted ? asCancelled(signal.reason) : error instanceof Left ? error.cause : null;
    if (why === null) throw error;
    const { code, message, details } = describeError(why);
    return sent({ result: null, billed: call.bill(), lost: { code, message, details } });
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
  return sent({ result, billed });
}

function countTokens({ context: { metrics } }: Turn, provider: string, { reported }: GatheredText): void {
  metrics.proofline_text_tokens_total.inc({ provider, direction: 'in' }, reported.inputTokens ?? 0);
  metrics.proofline_text_tokens_total.inc({ provider, direction: 'out' }, reported.outputTokens ?? 0);
}

function sent(outcome: Outcome): Sent {
  return { externalId: null, outcome };
}

function asCancelled(reason: unknown): unknown {
  return reason instanceof StopReason ? new AppError('cancelled', 'The job was cancelled.') : reason;
}
