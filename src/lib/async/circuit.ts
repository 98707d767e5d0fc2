/**
 * State of a circuit breaker: what is remembered of the calls of something that may fail, a provider's for one capability or
 * those of the signer. Pure: who keeps it, in Redis or in a process, decides what is shared.
 */
export interface Circuit {
  /** Failures since the last success. */
  readonly failures: number;
  /** End of the time in which no call is admitted, in epoch ms; null while closed. */
  readonly openUntil: number | null;
  /** Times it opened since the last success: each doubles the pause. */
  readonly opened: number;
  /** The one call that is tried while it is half open, and until when it counts. */
  readonly probe: { readonly token: string; readonly until: number } | null;
  /** Until when it wants to be left alone, in epoch ms: it said that it is busy, which is no failure. */
  readonly busyUntil?: number;
  /** Ends of the last calls, in epoch ms, and whether they went well; oldest first. */
  readonly recent: readonly (readonly [at: number, well: boolean])[];
}

export type CircuitState = 'closed' | 'open' | 'half_open';

/**
 * Failures in a row that open a circuit, the first pause, the longest, also of one that the provider requests, the
 * pause of a provider that is busy and does not say for how long, and how many calls are remembered.
 */
export const circuitRules = {
  failures: 5,
  pauseMs: 15_000,
  longestPauseMs: 600_000,
  busyMs: 1_000,
  recent: 20,
} as const;

/** The rules of a circuit. */
export type CircuitRules = { readonly [K in keyof typeof circuitRules]: number };

export const freshCircuit: Circuit = { failures: 0, openUntil: null, opened: 0, probe: null, recent: [] };

export function stateOf({ openUntil }: Circuit, now: number): CircuitState {
  if (openUntil === null) return 'closed';
  return now < openUntil ? 'open' : 'half_open';
}

/** Checks whether calls wait because the provider said that it is busy, and not for a failure of its own. */
export function isBusy(circuit: Circuit, now: number): boolean {
  return (circuit.busyUntil ?? 0) > now && stateOf(circuit, now) !== 'open';
}

/** Computes the time until the provider may be called again, in ms; null where it may be called now. */
export function waitOf(circuit: Circuit, now: number): number | null {
  const until = Math.max(circuit.busyUntil ?? 0, circuit.openUntil ?? 0);
  return until > now ? until - now : null;
}

/** Checks whether one more call may go; `next` is the state of the circuit afterwards. */
export function admitTo(
  circuit: Circuit,
  now: number,
  token: string,
  probeMs: number,
): { readonly admitted: boolean; readonly next: Circuit; readonly retryAt: number } {
  const state = stateOf(circuit, now);
  const waitMs = waitOf(circuit, now);
  if (waitMs !== null) return { admitted: false, next: circuit, retryAt: now + waitMs };
  if (state === 'closed') return { admitted: true, next: circuit, retryAt: now };
  const { probe } = circuit;
  // a process that died with its probe holds no caller up for longer than a call takes
  if (probe && now < probe.until) return { admitted: false, next: circuit, retryAt: probe.until };
  return { admitted: true, next: { ...circuit, probe: { token, until: now + probeMs } }, retryAt: now };
}

/** Returns the state after a call has ended; `null` for a call that ended without showing anything of the provider. */
export function reportTo(
  circuit: Circuit,
  now: number,
  token: string,
  well: boolean | null,
  rules: CircuitRules = circuitRules,
): Circuit {
  const isProbe = circuit.probe?.token === token;
  if (well === null) return isProbe ? { ...circuit, probe: null } : circuit;
  const recent = [...circuit.recent, [now, well] as const].slice(-rules.recent);
  if (isProbe) return well ? { ...freshCircuit, recent } : open({ ...circuit, recent }, now, rules);
  // calls that began before it opened say nothing of how it is now
  if (circuit.openUntil !== null) return { ...circuit, recent };
  if (well) return { ...circuit, failures: 0, opened: 0, recent };
  const failures = circuit.failures + 1;
  return failures >= rules.failures
    ? open({ ...circuit, failures, recent }, now, rules)
    : { ...circuit, failures, recent };
}

/**
 * Returns the state once a call has begun to answer, before it has ended. After the call that tried the provider,
 * others may go, and the next failure of any opens the circuit again, for longer.
 */
export function begunTo(circuit: Circuit, token: string): Circuit {
  if (circuit.probe?.token !== token) return circuit;
  return { ...circuit, openUntil: null, probe: null, failures: circuitRules.failures - 1 };
}

/** Returns the state for a provider that asks to be left alone for so long; it works, and is not judged by that. */
export function busyTo(circuit: Circuit, now: number, token: string, waitMs: number): Circuit {
  const { busyMs, longestPauseMs } = circuitRules;
  const until = now + Math.min(longestPauseMs, waitMs > 0 ? waitMs : busyMs);
  return { ...reportTo(circuit, now, token, null), busyUntil: Math.max(circuit.busyUntil ?? 0, until) };
}

function open(circuit: Circuit, now: number, { pauseMs, longestPauseMs }: CircuitRules): Circuit {
  const pause = Math.min(longestPauseMs, pauseMs * 2 ** Math.min(circuit.opened, 20));
  return { ...circuit, openUntil: now + pause, opened: circuit.opened + 1, probe: null };
}
