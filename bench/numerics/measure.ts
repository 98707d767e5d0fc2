/** One measured figure against its target; smaller is better. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: number;
  readonly ok: boolean;
}

/** Median milliseconds of `runs` runs after `warmUp` unmeasured ones. */
export function medianMs(
  run: () => unknown,
  { warmUp, runs }: { readonly warmUp: number; readonly runs: number },
): number {
  for (let i = 0; i < warmUp; i++) run();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}

export function row(name: string, value: number, unit: string, target: number): BenchRow {
  return { name, value: Number(value.toFixed(3)), unit, target, ok: value <= target };
}
