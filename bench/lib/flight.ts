/** Runs `task` `count` times with `width` at once. */
export async function inFlight(count: number, width: number, task: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
