interface Pace {
  /** Pause behind an answer, as a multiple of the time that it took. */
  readonly rest: number;
  /** Milliseconds that the pause is at most. */
  readonly longest: number;
  readonly now?: () => number;
}

/**
 * Requests an answer that may be costly for a fixed share of the time at most: the longer it took, the longer callers get
 * the same one. Callers while it is under way share it; a failure is not kept.
 */
export function pacedAnswer<T>(
  { rest, longest, now = () => performance.now() }: Pace,
  ask: () => Promise<T>,
): () => Promise<T> {
  let answer: { readonly value: Promise<T>; until: number } | null = null;
  return async () => {
    if (answer && now() < answer.until) return await answer.value;
    const begun = now();
    const mine = { value: ask(), until: Number.POSITIVE_INFINITY };
    answer = mine;
    try {
      const value = await mine.value;
      mine.until = now() + Math.min(longest, rest * (now() - begun));
      return value;
    } catch (error) {
      answer = null;
      throw error;
    }
  };
}
