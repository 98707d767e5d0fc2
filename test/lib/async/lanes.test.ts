import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lanes } from '#src/lib/async/lanes.ts';

test('property: every call gets its own answer, batches are bounded, and at most `width` are in flight', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (calls, size, width) => {
        let inFlight = 0;
        let most = 0;
        const sizes: number[] = [];
        const double = lanes<number, number>(
          async (items) => {
            most = Math.max(most, ++inFlight);
            sizes.push(items.length);
            await new Promise((resolve) => setImmediate(resolve));
            inFlight--;
            return items.map((item) =>
              item % 7 === 0 ? { status: 'rejected', reason: item } : { status: 'fulfilled', value: item * 2 },
            );
          },
          { width, size },
        );
        const answers = await Promise.allSettled(Array.from({ length: calls }, (_, item) => double(item)));
        for (const [item, answer] of answers.entries()) {
          expect(answer).toEqual(
            item % 7 === 0 ? { status: 'rejected', reason: item } : { status: 'fulfilled', value: item * 2 },
          );
        }
        expect(most).toBeLessThanOrEqual(width);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(size);
        expect(sizes.reduce((sum, one) => sum + one, 0)).toBe(calls);
      },
    ),
    { numRuns: 50 },
  );
});

test('calls that arrive while the lanes are busy go into the next batch together', async () => {
  const sizes: number[] = [];
  const gates: (() => void)[] = [];
  const call = lanes<number, number>(
    async (items) => {
      sizes.push(items.length);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.map((value) => ({ status: 'fulfilled', value }));
    },
    { width: 1 },
  );
  const first = call(0);
  while (gates.length < 1) await new Promise((resolve) => setImmediate(resolve));
  const rest = Promise.all([1, 2, 3, 4].map(call));
  gates[0]?.();
  await first;
  while (gates.length < 2) await new Promise((resolve) => setImmediate(resolve));
  gates[1]?.();
  expect(await rest).toEqual([1, 2, 3, 4]);
  expect(sizes).toEqual([1, 4]);
});

test('error: a batch that answers fewer results than items rejects the rest, and the lane goes on', async () => {
  let round = 0;
  const call = lanes<number, number>(async (items) =>
    round++ === 0 ? [] : items.map((value) => ({ status: 'fulfilled', value })),
  );
  await expect(call(1)).rejects.toThrow('fewer results');
  expect(await call(2)).toBe(2);
});

test('property: a batch weighs no more than it may, unless one item alone does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(100), { minLength: 1, maxLength: 100 }), fc.nat(150), async (items, weight) => {
      const batches: number[][] = [];
      const call = lanes<number, number>(
        async (batch) => {
          batches.push([...batch]);
          return batch.map((value) => ({ status: 'fulfilled', value }));
        },
        { weigh: (item) => item, weight, width: 1 },
      );
      expect(await Promise.all(items.map(call))).toEqual(items);
      expect(batches.flat()).toEqual(items);
      for (const batch of batches)
        expect(batch.length === 1 || batch.reduce((sum, item) => sum + item, 0) <= weight).toBe(true);
    }),
  );
});
