import { randomUUID } from 'node:crypto';
import type { MediaCapability, MediaSurface } from '#queues/providers.ts';
import type { Context } from '#src/system/context.ts';
import type { Provider } from './catalogue.ts';
import { admitTo, type Circuit, type CircuitState, reportTo, stateOf } from './circuit.ts';
import { changeCircuit } from './circuit-store.ts';
import { callTimeoutMs } from './timeouts.ts';

/** One call that may go. */
export interface Admission {
  readonly admitted: true;
  readonly provider: string;
  readonly capability: MediaCapability;
  /** The one call that is tried while the circuit is half open, or an ordinary one. */
  readonly token: string;
  /** Of `performance.now()`. */
  readonly since: number;
}

/** `refused` is an answer of a provider that works; `cancelled` says nothing of it. */
export type CallOutcome = 'succeeded' | 'refused' | 'failed' | 'cancelled';

const wells: Readonly<Record<CallOutcome, boolean | null>> = {
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
 * @param closedAt when somebody has just seen its circuit closed, by `performance.now()`; null where nobody has
 */
export async function admit(
  context: Context,
  provider: Provider,
  capability: MediaCapability,
  closedAt: number | null = null,
): Promise<Admission | { readonly admitted: false; readonly retryAt: Date }> {
  const token = randomUUID();
  if (closedAt !== null && performance.now() - closedAt < freshMs)
    return { admitted: true, provider: provider.id, capability, token, since: performance.now() };
  const probeMs = callTimeoutMs(provider) + 60_000;
  const { admitted, retryAt } = await changeCircuit(context, provider.id, (circuit, now) => {
    const answer = admitTo(circuit, now, token, probeMs);
    show(context, provider.id, answer.next, now);
    return { next: answer.next, answer };
  });
  if (admitted) return { admitted, provider: provider.id, capability, token, since: performance.now() };
  context.metrics.proofline_provider_calls_held_total.inc({ provider: provider.id });
  return { admitted, retryAt: new Date(retryAt) };
}

/** Says how an admitted call ended, and counts it. */
export async function report(context: Context, admission: Admission, outcome: CallOutcome): Promise<void> {
  const { provider, capability, token, since } = admission;
  context.metrics.proofline_provider_calls_total.inc({ provider, capability, outcome });
  context.metrics.proofline_provider_call_seconds.observe(
    { provider, capability },
    (performance.now() - since) / 1_000,
  );
  await changeCircuit(context, provider, (circuit, now) => {
    const next = reportTo(circuit, now, token, wells[outcome]);
    show(context, provider, next, now);
    return { next, answer: undefined };
  });
}

export interface Paid {
  readonly provider: string;
  readonly capability: MediaCapability;
  readonly surface: MediaSurface;
  /** Millionths of a dollar. */
  readonly cost: number;
}

/** Counts what a call has cost. */
export function countCost({ metrics }: Context, { provider, capability, surface, cost }: Paid): void {
  metrics.proofline_provider_cost_dollars_total.inc({ provider, capability, surface }, cost / 1_000_000);
}

/** A provider's circuit as it is now. */
export async function readCircuit(
  context: Context,
  provider: string,
): Promise<{ readonly circuit: Circuit; readonly state: CircuitState; readonly now: number }> {
  return await changeCircuit(context, provider, (circuit, now) => {
    show(context, provider, circuit, now);
    return { next: circuit, answer: { circuit, state: stateOf(circuit, now), now } };
  });
}

function show({ metrics }: Context, provider: string, circuit: Circuit, now: number): void {
  metrics.proofline_provider_circuit_state.set({ provider }, levels[stateOf(circuit, now)]);
}
