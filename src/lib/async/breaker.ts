import { AppError } from '#src/lib/errors.ts';
import { admitTo, type CircuitRules, circuitRules, freshCircuit, reportTo } from './circuit.ts';

/** Not even tried: what it needs has failed too often, and is left alone for a while. */
export class CircuitOpen extends AppError {
  /** Milliseconds until another try makes sense. */
  readonly waitMs: number;

  constructor(name: string, waitMs: number) {
    super(
      'unavailable',
      `${name} has failed too often to be called now; the next try is due in ${Math.ceil(waitMs)} ms.`,
    );
    this.waitMs = waitMs;
  }
}

export interface BreakerOptions {
  /** Name of the service that fails, as a sentence begins with it. */
  readonly name: string;
  /** Failures in a row after which it opens. */
  readonly failures: number;
  /** Time for which no call goes through; afterwards one goes, alone. */
  readonly pauseMs: number;
  /** True for an error that is a failure of the service; other errors say nothing about it. */
  readonly isFailure: (error: unknown) => boolean;
  /** Called when it opens and when it closes again. */
  readonly changed?: (isOpen: boolean) => void;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

/**
 * A circuit breaker of this process, by the states of `circuit.ts`. After failures in a row work is refused at once, so that
 * nothing waits for an answer that does not come. After the pause one piece of work is let through, and closes or opens it
 * again.
 *
 * @throws CircuitOpen from what it answers, where the work was not begun; what the work throws.
 */
export function openBreaker(options: BreakerOptions): <T>(work: () => Promise<T>) => Promise<T> {
  const { name, failures, pauseMs, isFailure, changed = () => {}, now = () => performance.now() } = options;
  const rules: CircuitRules = { ...circuitRules, failures, pauseMs, longestPauseMs: pauseMs };
  let circuit = freshCircuit;
  let calls = 0;
  const report = (token: string, isWell: boolean | null) => {
    const wasOpen = circuit.openUntil !== null;
    circuit = reportTo(circuit, now(), token, isWell, rules);
    const isOpen = circuit.openUntil !== null;
    if (isOpen !== wasOpen) changed(isOpen);
  };
  return async (work) => {
    const token = String(calls++);
    // the work ends by itself: no other process has to take its trial for dead
    const { admitted, next, retryAt } = admitTo(circuit, now(), token, Number.POSITIVE_INFINITY);
    if (!admitted) throw new CircuitOpen(name, Number.isFinite(retryAt) ? retryAt - now() : 0);
    circuit = next;
    try {
      const answer = await work();
      report(token, true);
      return answer;
    } catch (error) {
      report(token, isFailure(error) ? false : null);
      throw error;
    }
  };
}
