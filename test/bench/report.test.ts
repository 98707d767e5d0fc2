import { expect, test } from 'vitest';
import { interleaved } from '#bench/lib/claim.ts';
import { inFlight } from '#bench/lib/flight.ts';
import { figure, spreadText, table } from '#bench/lib/markdown.ts';
import { percentile, slope, spread } from '#bench/lib/statistics.ts';
import { mark, tick } from '#bench/load/tick-stream.ts';

test('a percentile is the nearest rank: always a value that was measured', () => {
  const values = [5, 1, 4, 2, 3];
  expect([0.01, 0.2, 0.5, 0.8, 0.81, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 1, 3, 4, 5, 5, 5]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test('a spread is median, least and greatest', () => {
  expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  expect(spreadText(spread([30_123, 1_000, 2_000]))).toBe('1,000 / **2,000** / 30,100');
});

test('a slope is the rise per step, whatever the offset', () => {
  expect(
    slope([
      [10, 5],
      [20, 7],
      [30, 9],
    ]),
  ).toBeCloseTo(0.2, 12);
  expect(slope([[10, 5]])).toBe(0);
});

test.each([
  [12_345.6, '12,300'],
  [999.6, '1,000'],
  [100, '100'],
  [4.5678, '4.57'],
  [0.012_34, '0.0123'],
  [0, '0'],
  [Number.NaN, '-'],
])('%d is written as %s', (value, text) => {
  expect(figure(value)).toBe(text);
});

test('a table has a rule and its rows', () => {
  expect(table(['a', 'b'], [['x', '1']])).toBe('| a | b |\n| --- | --: |\n| x | 1 |');
});

test('each round begins with another case, and every case runs once a round', async () => {
  const order: string[] = [];
  const cases = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const results = await interleaved(
    cases,
    2,
    () => {},
    async ({ name }) => order.push(name),
  );
  expect(order.join('')).toBe('abcbca');
  expect([...results.values()].map((list) => list.length)).toEqual([2, 2, 2]);
});

test('no more than the wanted number is in flight, and each runs once', async () => {
  let now = 0;
  let most = 0;
  const seen: number[] = [];
  await inFlight(20, 4, async (index) => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    seen.push(index);
    now--;
  });
  expect(most).toBe(4);
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('a tick is 300 bytes and carries its mark once', () => {
  const text = JSON.stringify(tick(123));
  expect(text).toHaveLength(300);
  expect(text.split(mark)).toHaveLength(2);
});
