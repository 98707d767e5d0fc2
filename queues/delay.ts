import { Type } from 'typebox';
import { durationMs } from '#src/lib/duration.ts';
import { LONGEST_DELAY_MS } from './define.ts';

/** A delay as the clients in TypeScript and Python write it, beside `delay_ms`. */
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

/** Both ways to write a delay. */
interface Delayed {
  readonly delay_ms?: number;
  readonly delay?: number | string;
}

/** Says what was expected of a delay, of which one way is to be written, and no more than ten years; null for a fine one. */
export function delayFault({ delay_ms, delay }: Delayed): string | null {
  if (delay === undefined) return null;
  if (delay_ms !== undefined) return 'delay or delay_ms, got both: leave one out';
  return lengthOf(delay) <= LONGEST_DELAY_MS ? null : `at most ten years, got ${delay}`;
}

/** Returns a delay in whole milliseconds; undefined where there is none. */
export function delayMs({ delay_ms, delay }: Delayed): number | undefined {
  return delay === undefined ? delay_ms : lengthOf(delay);
}

function lengthOf(delay: number | string): number {
  return Math.round(typeof delay === 'number' ? delay : durationMs(delay));
}
