import { initialSignalState, signalStep } from './signals.ts';
import type { Observation, Signal, StoredSignals } from './signals-schema.ts';

const MOST_RECENT = 100;

export interface SignalsTaken {
  /** Signals that this observation made. */
  readonly made: readonly Signal[];
  readonly stored: StoredSignals;
}

/**
 * One step of a symbol's signals from what was kept of the tick before. Null for a tick that is not newer. A market whose
 * time goes back shows a session again: nothing is in force any more, what was made stays known, and the same signal is
 * not made twice.
 */
export function takeObservation(
  before: StoredSignals | null,
  observation: Observation,
  order: number,
): SignalsTaken | null {
  if (before && before.order >= order) return null;
  const goesBack = (before?.state.as_of ?? -Infinity) > observation.as_of;
  const last = before && !goesBack ? before : null;
  const known = new Set(before?.recent.map(({ id }) => id));
  const { state, signals } = signalStep(last?.state ?? initialSignalState(observation.symbol), observation);
  const inForce = ({ id, kind, direction, expires_at }: Signal) =>
    state.active[`${kind}:${id.split('.')[2]}:${direction}`] === Date.parse(expires_at);
  const newest = signals.toReversed();
  const fresh = newest.filter(({ id }) => !known.has(id));
  return {
    made: fresh.toReversed(),
    stored: {
      order,
      state,
      current: [...newest, ...(last?.current ?? [])].filter(inForce),
      recent: [...fresh, ...(before?.recent ?? [])].slice(0, MOST_RECENT),
    },
  };
}
