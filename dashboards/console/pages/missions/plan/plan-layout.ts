/** Place of a step in the picture of a plan. */
export interface Placed {
  readonly id: string;
  /** Steps on the longest way to it. */
  readonly column: number;
  /** From the top of its column. */
  readonly row: number;
}

/** Places steps that are in an order in which they can run: each to the right of all that it waits for. */
export function placesOf(
  steps: readonly { readonly id: string; readonly dependsOn: readonly string[] }[],
): readonly Placed[] {
  const columns = new Map<string, number>();
  const heights = new Map<number, number>();
  return steps.map(({ id, dependsOn }) => {
    const column = Math.max(-1, ...dependsOn.map((before) => columns.get(before) ?? -1)) + 1;
    const row = heights.get(column) ?? 0;
    columns.set(id, column);
    heights.set(column, row + 1);
    return { id, column, row };
  });
}
