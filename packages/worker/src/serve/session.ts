import { ProoflineError, pause } from '@proofline/client';
import { aborted } from '../async/deferred.ts';
import type { StopReason } from '../errors/job-error.ts';
import type { Handed } from '../job/attempt.ts';
import type { ReportAnswer } from '../story/reports.ts';
import type { Hands, InHand } from './hands.ts';
import type { AddressedReport } from './lane.ts';
import { openReporter, type Reporter } from './reporter.ts';
import type { Stopping } from './stopping.ts';
import type { Transport } from './transport.ts';
import type { WorkerLog } from './worker-log.ts';

/** A worker as it registers. */
export interface Registration {
  readonly name?: string;
  readonly queues: readonly { readonly name: string; readonly versions: readonly number[] }[];
  readonly capacity: number;
  readonly sdk: string;
}

interface Registered {
  readonly worker: string;
  readonly lease_ms: number;
  readonly beat_ms: number;
  readonly wait_ms: number;
}

interface Polled {
  readonly jobs: readonly Handed[];
  readonly stop: readonly (InHand & { readonly reason: 'cancelled' | 'lost' | 'timeout' })[];
}

export interface SessionOptions {
  readonly transport: Transport;
  readonly registration: Registration;
  readonly hands: Hands;
  readonly stopping: Stopping;
  readonly log: WorkerLog;
  /** Called with the reporter once the worker is registered. */
  readonly onOpen: (reporter: Reporter) => void;
  /** Called before that reporter closes. */
  readonly onClose: () => void;
  readonly onOrphan: (outcome: AddressedReport) => void;
}

/** Milliseconds that stopped runs have to notice, before the worker leaves without them. */
const noticeMs = 2_000;
/** Pause after an empty answer that came before its time, ms. */
const hastyMs = 100;
/** Longest wait for an answer that needs no waiting, ms. */
const answerMs = 10_000;

/**
 * One registration, from its beginning until the worker has left (`left`) or its lease was lost (`lost`).
 *
 * @throws ProoflineError where the server refuses the worker for good
 */
export async function runSession(options: SessionOptions): Promise<'left' | 'lost'> {
  const { transport, registration, hands, stopping, log } = options;
  const registered = await transport.send<Registered>('register', null, JSON.stringify(registration), {
    timeoutMs: answerMs,
    signal: stopping.begun,
  });
  const { worker, lease_ms: leaseMs } = registered;
  log.info('registered', {
    worker,
    capacity: registration.capacity,
    queues: registration.queues.map(({ name }) => name),
  });
  const lost = new AbortController();
  const reporter = openReporter({
    log,
    onOrphan: options.onOrphan,
    onLost: (error) => lost.abort(error),
    onRetry: ({ code, message }, failures) =>
      log.warn('reports were not answered; sending them again', { code, why: message, failures }),
    post: async (texts) => {
      const { answers } = await transport.send<{ answers: readonly ReportAnswer[] }>(
        'report',
        worker,
        `{"reports":[${texts.join(',')}]}`,
        { timeoutMs: Math.max(leaseMs, answerMs), signal: lost.signal },
      );
      return answers;
    },
  });
  options.onOpen(reporter);
  try {
    await pollUntilStopped(options, registered, reporter, lost.signal);
    await leave(transport, worker, log);
    return 'left';
  } catch (error) {
    const refusal = lost.signal.aborted ? lost.signal.reason : error;
    hands.stopAll('lost');
    if (!(refusal instanceof ProoflineError) || !(isUnknown(refusal) || refusal.retryable)) throw refusal;
    log.warn('the lease was lost: what ran is stopped, and the worker registers again', {
      worker,
      why: refusal.message,
    });
    return 'lost';
  } finally {
    options.onClose();
    reporter.close();
  }
}

/** True where the server knows the worker no longer: 404, or 410 behind a gateway that remembers it. */
const isUnknown = ({ status }: ProoflineError): boolean => status === 404 || status === 410;

async function pollUntilStopped(
  { transport, registration: { capacity }, hands, stopping, log }: SessionOptions,
  { worker, lease_ms: leaseMs, beat_ms: beatMs, wait_ms: waitMs }: Registered,
  reporter: Reporter,
  lost: AbortSignal,
): Promise<void> {
  const longest = Math.min(waitMs, beatMs);
  let beatAt = performance.now();
  for (;;) {
    lost.throwIfAborted();
    const isStopping = stopping.begun.aborted;
    if (isStopping && hands.busy() === 0) return;
    if (stopping.due.aborted) return await stopRest(hands);
    const credits = isStopping ? 0 : Math.max(0, capacity - hands.busy());
    // with every hand full there is nothing to wait for at the server until one is free, or the next beat is due
    if (credits === 0) {
      const untilBeat = beatAt + beatMs - performance.now();
      await firstOf(untilBeat, [lost, stopping.due, ...(isStopping ? [] : [stopping.begun])], hands);
      if (performance.now() < beatAt + beatMs) continue;
    }
    const sentAt = performance.now();
    const body = { credits, wait_ms: credits > 0 ? longest : 0, jobs: hands.list() };
    try {
      const polled = await poll(transport, worker, body, beatAt + leaseMs - sentAt, lost, stopping, hands);
      if (polled === null) continue;
      beatAt = sentAt;
      // a server that does not wait must not be asked without end
      const isHasty = polled.jobs.length + polled.stop.length === 0 && performance.now() - sentAt < body.wait_ms / 2;
      if (isHasty) await firstOf(hastyMs, [lost, stopping.begun]);
      for (const { id, attempt, reason } of polled.stop) hands.stop({ id, attempt }, reason satisfies StopReason);
      for (const job of polled.jobs) hands.take(job, reporter);
    } catch (error) {
      lost.throwIfAborted();
      if (!(error instanceof ProoflineError) || !error.retryable) throw error;
      if (performance.now() - beatAt > leaseMs) throw error;
      log.debug('a poll was not answered', { why: error.message });
      await firstOf(Math.min(error.retryAfterMs ?? 0, leaseMs / 4) + Math.random() * 200, [lost, stopping.due]);
    }
  }
}

/** One poll; null where the worker stops meanwhile with nothing in hand. */
async function poll(
  transport: Transport,
  worker: string,
  body: { readonly credits: number; readonly wait_ms: number; readonly jobs: readonly InHand[] },
  leaseLeftMs: number,
  lost: AbortSignal,
  stopping: Stopping,
  hands: Hands,
): Promise<Polled | null> {
  const stop = new AbortController();
  const end = () => stop.abort(lost.reason);
  // what a poll that is given up would have brought goes back when the worker leaves
  const endIfIdle = () => hands.busy() === 0 && stop.abort();
  lost.addEventListener('abort', end);
  stopping.begun.addEventListener('abort', endIfIdle);
  if (stopping.begun.aborted) endIfIdle();
  try {
    const timeoutMs = Math.max(500, Math.min(body.wait_ms + answerMs, leaseLeftMs));
    return await transport.send<Polled>('poll', worker, JSON.stringify(body), { timeoutMs, signal: stop.signal });
  } catch (error) {
    if (stop.signal.aborted && !lost.aborted) return null;
    throw error;
  } finally {
    lost.removeEventListener('abort', end);
    stopping.begun.removeEventListener('abort', endIfIdle);
  }
}

/** Stops what still runs, and waits a little for its end: what does not notice goes back when the worker leaves. */
async function stopRest(hands: Hands): Promise<void> {
  hands.stopAll('drain');
  await settleRuns(hands);
}

/** Waits a little for runs that were stopped. */
export async function settleRuns(hands: Hands): Promise<void> {
  const until = performance.now() + noticeMs;
  while (hands.busy() > 0 && performance.now() < until) await firstOf(until - performance.now(), [], hands);
}

async function leave(transport: Transport, worker: string, log: WorkerLog): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await transport.send('leave', worker, '{}', { timeoutMs: noticeMs });
      return log.info('left', { worker });
    } catch (error) {
      // its lease ends without it, a little later
      if (failures === 2) return log.warn('could not leave', { worker, why: String(error) });
      await pause(200);
    }
  }
}

/** Resolves after `ms`, when a signal is aborted, or when a run ends: whatever comes first. */
async function firstOf(ms: number, signals: readonly AbortSignal[], hands?: Hands): Promise<void> {
  const over = new AbortController();
  const stop = () => over.abort();
  const timer = setTimeout(stop, Math.max(0, ms));
  const release = hands?.onFreed(stop);
  for (const signal of signals) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  }
  await aborted(over.signal);
  clearTimeout(timer);
  release?.();
  for (const signal of signals) signal.removeEventListener('abort', stop);
}
