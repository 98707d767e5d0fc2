/** Most lines of a batch. */
export const mostLines = 10_000;
/** Largest file of a batch. */
export const mostBytes = 200 * 1_048_576;
