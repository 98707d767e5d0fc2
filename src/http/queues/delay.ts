import { Type } from 'typebox';
import { LONGEST_DELAY_MS } from '#queues/define.ts';
import { durationMs } from '#src/lib/duration.ts';
import { wrong } from './job-options.ts';

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
  const length = Math.round(typeof delay === 'number' ? delay : durationMs(delay));
  if (length <= LONGEST_DELAY_MS) return length;
  throw wrong('delay', `at most ten years, got ${delay}`, delay);
}
