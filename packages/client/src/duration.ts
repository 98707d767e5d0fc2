/** Length of time: milliseconds, or a number and its unit, such as `'250ms'`, `'30s'`, `'2m'`, `'1.5h'` or `'7d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The length in whole milliseconds. @throws TypeError for a text that is no length of time, and below zero. */
export function milliseconds(duration: Duration): number {
  const [, number = '', unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(duration)) ?? [];
  const length = number === '' ? Number.NaN : Number(number) * (units[unit] ?? Number.NaN);
  if (Number.isFinite(length)) return Math.round(length);
  throw new TypeError(`expected a length of time such as 500, '30s', '2m' or '1h', got ${JSON.stringify(duration)}`);
}
