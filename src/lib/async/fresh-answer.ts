/**
 * Requests an answer as often as needed, one time after the other: every answer was requested after its caller came,
 * and callers that wait meanwhile share one.
 */
export function freshAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = async () => {
    // the callers that wait for it get its failure
    await running?.catch(() => {});
    next = null;
    running = ask();
    return await running;
  };
  return async () => await (next ??= begin());
}
