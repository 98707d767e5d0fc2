import { hash, randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Payload } from '#queues/define.ts';
import { respond, type TextResult } from '#queues/platform.ts';
import { admitWork } from '#src/access/quota.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import { CallerLeft, StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Running } from '#src/jobs/run/hold-jobs.ts';
import { openInProcessWorker } from '#src/jobs/run/in-process-worker.ts';
import { runAttempt } from '#src/jobs/run/run-attempt.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { eraseMessage, Taken } from './begin-turn.ts';
import { cacheKey, readCached, writeCached } from './cache-text.ts';
import { beginFirst, callInTurn, callRest } from './call-legs.ts';
import type { Turn } from './call-text.ts';
import { closeOpen, settleTurn, type TurnEnd } from './end-turn.ts';
import { openPipe } from './pipe.ts';
import { findReplay, type KeyedRequest, replayOf, replayText } from './replay-text.ts';
import { resumeText } from './resume-text.ts';
import { routeText, type TextLeg } from './route-text.ts';
import type { RunningText, TextWork } from './text-work.ts';
import { openTurnBudget } from './turn-budget.ts';

export type { RunningText, TextWork } from './text-work.ts';

/** Longest wait in milliseconds for a provider that is full, while a client waits, before the next is called. */
const PATIENCE_MS = 2_000;

export interface TextOptions {
  /** Ends the turn when the caller leaves; what came until then is paid for. */
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | null;
  /**
   * Text of the client's request, by which a repetition under a key is recognised. Without one the work is the request.
   */
  readonly request?: string;
  /**
   * True where the caller wants the answer in one piece: a provider that breaks off in its middle is followed by the
   * next.
   */
  readonly isWhole?: boolean;
  /** Seconds for which the same request of the same owner gets the same answer without a provider call. */
  readonly cacheSeconds?: number;
}

/**
 * Begins a turn of text that a client waits for. It runs in this process, as a job that was never queued: its records
 * are the same as any other's. Resolves with the first piece.
 *
 * @throws AppError `providers_exhausted` with the reasons where no provider can be called, `provider_refused`,
 *   `not_found` for a model that no provider offers, `budget_exceeded`, `quota_exceeded`, `idempotency_conflict`,
 *   `unavailable`, also while the queue of turns is paused; of a repetition under a key, what the first one ended with.
 */
export async function startText(
  { context }: { readonly context: Context; readonly hub?: Hub },
  principal: Principal,
  work: TextWork,
  { signal, idempotencyKey: key = null, request, isWhole = false, cacheSeconds }: TextOptions,
): Promise<RunningText> {
  const text = `${respond.name}\0${request ?? JSON.stringify(work)}`;
  const keyed = { owner: principal.owner, key, hash: hash('sha256', text, 'hex') };
  const known = await findReplay(context, keyed);
  if (known !== null) return await replayText(context, known, signal);
  const cached = cacheSeconds === undefined ? undefined : cacheKey(principal.owner, work);
  const hit = cached === undefined ? null : await readCached(context, cached);
  if (hit !== null) return { ...replayOf(hit.job, hit.result), cache: 'hit' };
  const [legs] = await Promise.all([routeText(context, work), admitWork(context)(principal, respond.name)]);
  signal.throwIfAborted();
  try {
    if (cached === undefined || cacheSeconds === undefined)
      return await runOwn(context, { principal, work, keyed, signal, isWhole, keeps: key !== null }, legs);
    const keep = async (job: string, result: TextResult) =>
      await writeCached(context, cached, { job, result }, cacheSeconds);
    return {
      ...(await runOwn(context, { principal, work, keyed, signal, isWhole, keeps: true, keep }, legs)),
      cache: 'miss',
    };
  } catch (error) {
    const winner = error instanceof Taken ? await findReplay(context, keyed) : null;
    if (winner === null) throw error;
    return await replayText(context, winner, signal);
  }
}

interface Request {
  readonly principal: Principal;
  readonly work: TextWork;
  readonly keyed: KeyedRequest;
  readonly signal: AbortSignal;
  readonly isWhole: boolean;
  /** True where the whole message is stored. */
  readonly keeps: boolean;
  /** Stores the result, before the caller has its end. */
  readonly keep?: (job: string, result: TextResult) => Promise<void>;
}

async function runOwn(
  context: Context,
  { principal, work, keyed, signal, isWhole, keeps, keep }: Request,
  legs: readonly TextLeg[],
): Promise<RunningText> {
  const { owner, keyId } = principal;
  const worker = await openInProcessWorker(context);
  const running: Running = { stop: new AbortController(), claimedAt: 0, done: Promise.withResolvers() };
  const leave = () => running.stop.abort(new CallerLeft(signal.reason));
  const pipe = openPipe<TextDelta>(leave);
  const id = randomUUIDv7();
  const turnEnd: TurnEnd = { open: null };
  const turn: Turn = {
    context,
    job: { id, owner, attempt: 1 },
    budgets: await openTurnBudget(context, id, work),
    keyId,
    work,
    signal: running.stop.signal,
    patienceMs: PATIENCE_MS,
    isWhole,
    keeps,
    onDeltas: pipe.push,
    end: turnEnd,
  };
  signal.addEventListener('abort', leave, { once: true });
  const token = randomUUID();
  const stopListening = () => signal.removeEventListener('abort', leave);
  const begun = await beginFirst({ worker, running, token, request: keyed }, turn, legs).catch((error: unknown) => {
    stopListening();
    throw shown(error);
  });
  let current = begun.first.leg;
  let result: TextResult | null = null;
  const run = async () => {
    // not the time from before: a beat stops what is older than it and not in the database
    const held = { ...running, claimedAt: performance.now() };
    const attempt = { queue: respond, claimed: begun.claimed, token, running: held, log: openJobLog(context, id, 1) };
    const settling = { ...worker, settle: settleTurn(context, turn.job, turnEnd, worker.settle) };
    const end = await runAttempt(settling, { ...attempt, isWaitedFor: true }, () =>
      callRest(turn, begun, (leg) => (current = leg)),
    );
    // its job has ended without it
    await closeOpen(context, turn.job, turnEnd);
    stopListening();
    if ('error' in end) return pipe.end(shown(end.error));
    result = end.result;
    if (!end.isSettled) await eraseMessage(context, id);
    await keep?.(id, end.result);
    pipe.end();
  };
  const over = run().catch(pipe.end);
  try {
    await pipe.opened();
  } catch (error) {
    await over;
    throw error;
  }
  const { provider, offered } = current;
  return {
    job: id,
    provider: provider.id,
    model: offered.model,
    pieces: pipe.values,
    result: () => result,
    replayed: false,
    cache: null,
  };
}

/** Converts an error into the one that the caller gets: why this process stopped the turn is not their concern. */
function shown(error: unknown): unknown {
  if (!(error instanceof StopReason)) return error;
  if (error.why === 'cancelled') return new AppError('cancelled', 'The job was cancelled before its end.');
  return new AppError('unavailable', 'The turn was given up by the process that ran it.');
}

/** Arguments of a processor of `platform.respond`. */
export interface TextRun {
  readonly context: Context;
  readonly payload: Payload<typeof respond>;
  readonly job: Turn['job'];
  readonly signal: AbortSignal;
}

/**
 * Runs one attempt at a turn whose job this process has claimed. The result of an earlier attempt is its result; a call
 * that an earlier attempt left open is not made again. For a turn that ran in the process that received the request,
 * nothing else can be made good.
 *
 * @param onDeltas receives the pieces as they come; the next ones wait for it. It gets nothing of an earlier attempt's
 *   answer. Without it, a provider that breaks off in the middle is followed by the next
 * @throws AppError `outcome_unknown`, `cancelled` where the client has gone; as {@link startText} otherwise.
 */
export async function runTextHere(
  { context, payload: { work, keyId }, job, signal }: TextRun,
  onDeltas?: Turn['onDeltas'],
): Promise<TextResult> {
  const known = await resumeText(context, job);
  if (known !== null) return known;
  if (work === null)
    throw new AppError(
      'cancelled',
      'The process that ran this turn has ended, and with it the connection of the client.',
    );
  const textWork = work as TextWork;
  const turn: Turn = {
    context,
    job,
    keyId,
    signal,
    onDeltas: onDeltas ?? (() => {}),
    isWhole: onDeltas === undefined,
    work: textWork,
    budgets: await openTurnBudget(context, job.id, textWork),
    patienceMs: Number.POSITIVE_INFINITY,
    keeps: true,
  };
  return await callInTurn(turn, await routeText(context, textWork));
}
