export const DAY_MS = 86_400_000;

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS } as const;

/** Reads a length of time as people write it, such as `30s`, `1.5h` or `7d`, in milliseconds; NaN for any other text. */
export function durationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return number === '' ? Number.NaN : Number(number) * units[unit as keyof typeof units];
}
