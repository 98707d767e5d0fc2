/** Jobs that one action can be about. */
export const MOST_JOBS = 1_000_000;
/** Jobs of a preview that are shown. */
export const SAMPLE = 20;
/** Jobs that can be named by their ids. */
export const MOST_IDS = 1_000;
/** Jobs a second: the most, and without a wish. */
export const MOST_RATE = 10_000;
export const RATE = 500;
/** Seconds for which a preview can be begun. */
export const PREVIEW_S = 600;
/** Previews of one owner that are kept; a further one takes the place of the oldest. */
export const MOST_PREVIEWS = 5;
/** Share of the previewed jobs that may have moved on before the whole is refused, without a wish. */
export const CHANGED_SHARE = 0.1;
/** Jobs of one row of parts: none is acted on together with those of another. */
export const PART = 500;
