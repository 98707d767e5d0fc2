/** Steps that one job may keep, waits and children among them. */
export const MOST_STEPS = 10_000;
/** Bytes of the value of one step, as JSON. */
export const MOST_STEP_BYTES = 1_048_576;
/** Bytes of the values of all steps of a job; the one that ends a wait may go past it. */
export const MOST_JOB_BYTES = 64 * 1_048_576;

/** Signals that one job may get, taken or not. */
export const MOST_SIGNALS = 10_000;
/** Bytes of the payload of a signal, as JSON. */
export const MOST_SIGNAL_BYTES = 262_144;

/** Characters of the name of a step or a signal. */
export const MOST_NAME_CHARACTERS = 200;
/** Milliseconds that a wait may last at most: a hundred years. */
export const LONGEST_WAIT_MS = 100 * 366 * 86_400_000;
