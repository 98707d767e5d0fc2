import { randomUUID } from 'node:crypto';
import type { MediaCapability } from '#queues/providers.ts';
import {
  admitTo,
  begunTo,
  busyTo,
  type Circuit,
  type CircuitState,
  circuitRules,
  isBusy,
  reportTo,
  stateOf,
  waitOf,
} from '#src/lib/async/circuit.ts';
import { AppError } from '#src/lib/errors.ts';
import { callTimeoutMs, type Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { type CircuitName, changeCircuit } from './circuit-store.ts';

/** One call that may go. */
export interface Admission {
  readonly admitted: true;
  readonly provider: string;
  readonly capability: MediaCapability;
  /** The one call that is tried while the circuit is half open, or an ordinary one. */
  readonly token: string;
  /** True where it is the probe call. */
  readonly isProbe: boolean;
  /** Start by `performance.now()`, milliseconds. */
  readonly since: number;
}

/** Why a call may not go, and for how long. */
export interface Held {
  readonly admitted: false;
  readonly reason: string;
  readonly waitMs: number;
}

/**
 * `refused` is an answer of a provider that works, `busy` that of one that wants to be left alone; `cancelled` says
 * nothing.
 */
export type CallOutcome = 'succeeded' | 'refused' | 'busy' | 'failed' | 'cancelled';

const isHealthy: Readonly<Record<Exclude<CallOutcome, 'busy'>, boolean | null>> = {
  succeeded: true,
  refused: true,
  failed: false,
  cancelled: null,
};
const levels: Readonly<Record<CircuitState, number>> = { closed: 0, half_open: 1, open: 2 };

/** A circuit that was closed so short a time ago needs no second look: calls that are under way are no other. */
const freshMs = 100;

/**
 * Asks whether a provider may be called now. Every admission is reported, however its call ends.
 *
 * @param closedAt time when its circuit was just seen closed, by `performance.now()`; null where it was not
 */
export async function admit(
  context: Context,
  { id: provider, ...settings }: Provider,
  capability: MediaCapability,
  closedAt: number | null = null,
): Promise<Admission | Held> {
  const token = randomUUID();
  if (closedAt !== null && performance.now() - closedAt < freshMs)
    return { admitted: true, provider, capability, token, isProbe: false, since: performance.now() };
  const probeMs = callTimeoutMs(settings) + 60_000;
  const name = { provider, capability };
  const answer = await changeCircuit<Held | Pick<Admission, 'admitted' | 'isProbe'>>(context, name, (circuit, now) => {
    const { next, admitted, retryAt } = admitTo(circuit, now, token, probeMs);
    show(context, name, next, now);
    if (!admitted) return { next, answer: heldBack(circuit, now, retryAt) };
    return { next, answer: { admitted, isProbe: next.probe?.token === token } };
  });
  if (answer.admitted) return { ...answer, provider, capability, token, since: performance.now() };
  context.metrics.proofline_provider_calls_held_total.inc(name);
  return answer;
}

function heldBack(circuit: Circuit, now: number, retryAt: number): Held {
  const waitMs = waitOf(circuit, now);
  // how long the call that tries it will take is not known
  if (waitMs === null)
    return {
      admitted: false,
      reason: 'it failed too often, and one call tries it just now',
      waitMs: circuitRules.busyMs,
    };
  const why = isBusy(circuit, now) ? 'it is busy (429)' : 'it failed too often';
  return { admitted: false, reason: `${why} and is not called before ${new Date(retryAt).toISOString()}`, waitMs };
}

/**
 * Says that an admitted call has begun to answer: the one that tries a provider lets others go from then on, since its
 * answer may be long. Its end is reported all the same.
 */
export async function reportBegun(
  context: Context,
  { isProbe, token, provider, capability }: Admission,
): Promise<void> {
  if (!isProbe) return;
  const name = { provider, capability };
  await changeCircuit(context, name, (circuit, now) => {
    const next = begunTo(circuit, token);
    show(context, name, next, now);
    return { next, answer: undefined };
  });
}

/**
 * Says how an admitted call ended, and counts it.
 *
 * @param busyMs of one that was `busy`: for how long its provider wants to be left alone; 0 where it does not say
 */
export async function report(
  context: Context,
  { provider, capability, token, since, isProbe }: Admission,
  outcome: CallOutcome,
  busyMs = 0,
): Promise<void> {
  const name = { provider, capability };
  context.metrics.proofline_provider_calls_total.inc({ ...name, outcome });
  context.metrics.proofline_provider_call_seconds.observe(name, (performance.now() - since) / 1_000);
  const reporting = changeCircuit(context, name, (circuit, now) => {
    const next =
      outcome === 'busy' ? busyTo(circuit, now, token, busyMs) : reportTo(circuit, now, token, isHealthy[outcome]);
    show(context, name, next, now);
    return { next, answer: undefined };
  });
  // one more success changes nothing about the next call
  if (outcome === 'succeeded' && !isProbe) return;
  seenClosed(context).delete(nameOf(name));
  await reporting;
}

/**
 * For how long a call's provider wants to be left alone, ms, 0 where it does not say; null where it failed otherwise.
 */
export function busyFor(error: unknown): number | null {
  if (!(error instanceof AppError) || error.details['status'] !== 429) return null;
  const seconds = error.details['retry_after_seconds'];
  return typeof seconds === 'number' ? seconds * 1_000 : 0;
}

/** A circuit at a moment, epoch ms of the clock that all share. */
export interface CircuitNow {
  readonly circuit: Circuit;
  readonly state: CircuitState;
  readonly now: number;
}

/** Circuits that this process has seen closed and not busy, with the time by `performance.now()`. */
const seenClosed = perContext(() => new Map<string, CircuitNow & { readonly at: number }>());

/**
 * A circuit as it was a moment ago, where it was closed then; else as it is now. For calls that are under way at once,
 * which would all ask the same.
 */
export async function recentCircuit(context: Context, name: CircuitName): Promise<CircuitNow> {
  const seen = seenClosed(context);
  const key = nameOf(name);
  const known = seen.get(key);
  if (known && performance.now() - known.at < freshMs) return known;
  const at = performance.now();
  const found = await readCircuit(context, name);
  if (found.state === 'closed' && waitOf(found.circuit, found.now) === null) seen.set(key, { ...found, at });
  return found;
}

const nameOf = ({ provider, capability }: CircuitName): string => `${provider} ${capability}`;

/** A circuit as it is now. */
export async function readCircuit(context: Context, name: CircuitName): Promise<CircuitNow> {
  return await changeCircuit(context, name, (circuit, now) => {
    show(context, name, circuit, now);
    return { next: circuit, answer: { circuit, state: stateOf(circuit, now), now } };
  });
}

function show({ metrics }: Context, { provider, capability }: CircuitName, circuit: Circuit, now: number): void {
  metrics.proofline_provider_circuit_state.set({ provider, capability }, levels[stateOf(circuit, now)]);
}
