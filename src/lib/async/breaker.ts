import { AppError } from '#src/lib/errors.ts';

/** Not even tried: what it needs has failed too often, and is left alone for a while. */
export class CircuitOpen extends AppError {
  /** Milliseconds until another try makes sense. */
  readonly waitMs: number;

  constructor(name: string, waitMs: number) {
    super(
      'unavailable',
      `${name} has failed too often to be asked now; the next try is due in ${Math.ceil(waitMs)} ms.`,
    );
    this.waitMs = waitMs;
  }
}

export interface BreakerOptions {
  /** What fails, as a sentence begins with it. */
  readonly name: string;
  /** Failures in a row after which it opens. */
  readonly failures: number;
  /** How long nobody asks then; afterwards one asks, alone. */
  readonly pauseMs: number;
  /** Whether an error is a failure of what is asked; others say nothing about it. */
  readonly isFailure: (error: unknown) => boolean;
  /** Told when it opens and when it closes again. */
  readonly changed?: (isOpen: boolean) => void;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

/**
 * A circuit breaker of this process. Closed, all work goes through. After failures in a row it is open: work is refused at
 * once, so that nobody stands in line for an answer that does not come. After the pause it is half open: one piece of
 * work is let through, and closes or opens it again.
 *
 * @throws CircuitOpen from what it answers, where the work was not begun; what the work throws.
 */
export function openBreaker(options: BreakerOptions): <T>(work: () => Promise<T>) => Promise<T> {
  const { name, pauseMs, isFailure, changed = () => {}, now = () => performance.now() } = options;
  let failures = 0;
  let until = 0;
  let isTrying = false;
  const isOpen = () => failures >= options.failures;
  return async (work) => {
    const trial = isOpen();
    if (trial && (isTrying || now() < until)) throw new CircuitOpen(name, Math.max(until - now(), 0));
    if (trial) isTrying = true;
    try {
      const answer = await work();
      if (isOpen()) changed(false);
      failures = 0;
      return answer;
    } catch (error) {
      if (isFailure(error)) {
        failures++;
        until = now() + pauseMs;
        if (failures === options.failures) changed(true);
      }
      throw error;
    } finally {
      if (trial) isTrying = false;
    }
  };
}
