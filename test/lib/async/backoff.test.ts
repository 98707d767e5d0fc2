import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '#src/lib/async/backoff.ts';

test('property: the delay lies between zero and the capped exponential, and reaches both ends', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (failures, base, cap) => {
        const most = Math.min(cap, base * 2 ** Math.min(failures - 1, 30));
        expect(backoffMs(failures, base, cap, () => 0)).toBe(0);
        expect(backoffMs(failures, base, cap, () => 1)).toBe(Math.round(most));
        expect(backoffMs(failures, base, cap)).toBeLessThanOrEqual(Math.round(most));
      },
    ),
  );
});
