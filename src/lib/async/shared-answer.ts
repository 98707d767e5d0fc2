/** Requests an answer at most once in `ms` milliseconds; callers in between get the same answer. */
export function sharedAnswer<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: { readonly at: number; readonly value: Promise<T> } | null = null;
  return async () => {
    const now = performance.now();
    if (!answer || now - answer.at >= ms) answer = { at: now, value: ask() };
    return await answer.value;
  };
}
