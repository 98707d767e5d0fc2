import { Type } from 'typebox';
import { wrong } from './job-options.ts';

/** Ten years. */
export const LONGEST_DELAY_MS = 315_360_000_000;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A delay as the clients in TypeScript and Python write it. */
export const Delay = Type.Union(
  [
    Type.Integer({ minimum: 0, maximum: LONGEST_DELAY_MS, description: 'Milliseconds' }),
    Type.String({
      maxLength: 20,
      pattern: '^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$',
      description: 'A number and its unit',
      examples: ['30s'],
    }),
  ],
  {
    description:
      'The same with a unit, such as `30s`, `2m`, `1.5h` or `7d`, instead of `delay_ms`; a number is milliseconds',
  },
);

/** Returns a delay in whole milliseconds. @throws AppError `invalid_request` for one beyond ten years */
export function delayMs(delay: number | string): number {
  const [, number = '', unit = 'ms'] = /^([0-9.]+)([a-z]+)?$/.exec(String(delay)) ?? [];
  const length = Math.round(Number(number) * (units[unit] ?? Number.NaN));
  if (length <= LONGEST_DELAY_MS) return length;
  throw wrong('delay', `at most ten years, got ${delay}`, delay);
}
