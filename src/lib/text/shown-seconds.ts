/** A time in seconds as people read it, in three figures at most: `12 ms`, `1.4 s`, `25 min`, `3.1 h`. */
export function shownSeconds(seconds: number): string {
  const [value, unit] =
    seconds < 1
      ? [seconds * 1_000, 'ms']
      : seconds < 100
        ? [seconds, 's']
        : seconds < 6_000
          ? [seconds / 60, 'min']
          : [seconds / 3_600, 'h'];
  return `${Number(value.toPrecision(value < 10 ? 2 : 3))} ${unit}`;
}
