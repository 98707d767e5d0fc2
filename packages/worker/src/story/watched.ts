/** The same calls; a rejection that a run does not look at is no fault of the process, which runs other jobs too. */
export function watched<Calls extends object>(calls: Calls): Calls {
  const watch =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> => {
      const promise = call(...args);
      promise.catch(() => {});
      return promise;
    };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, watch(call as never)])) as never;
}
