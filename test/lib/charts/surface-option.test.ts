import { expect, test } from 'vitest';
import { palettes } from '#src/lib/charts/palette.ts';
import { surfaceBounds, surfaceOption, surfacePlaces } from '#src/lib/charts/surface-option.ts';

interface Drawn {
  readonly series: readonly [{ readonly data: readonly { readonly value: number[]; readonly label?: object }[] }];
  readonly xAxis: { readonly data: readonly string[] };
  readonly yAxis: { readonly data: readonly string[] };
  readonly visualMap: { readonly min: number; readonly max: number };
}
const drawn = (grid: Parameters<typeof surfaceOption>[0]) => surfaceOption(grid, palettes.light, 0) as unknown as Drawn;

test('near days are close together, and both axes ascend', () => {
  const { days, k } = surfacePlaces;
  expect([days[0], days.at(-1), k[0], k.at(-1)]).toEqual([2, 365, -0.24, 0.16]);
  for (const axis of [days, k]) expect(axis).toEqual(axis.toSorted((a, b) => a - b));
  expect(new Set(days).size).toBe(31);
});

test('a cell stands for each value that there is, and shades go from one multiple of 5 % to another', () => {
  const grid = {
    days: [2, 4.8],
    k: [-0.1, 0.05],
    volatility: [
      [0.31, null],
      [0.22, 0.185],
    ],
  };
  const { series, xAxis, yAxis, visualMap } = drawn(grid);
  expect(series[0].data.map(({ value }) => value)).toEqual([
    [0, 0, 0.31],
    [0, 1, 0.22],
    [1, 1, 0.185],
  ]);
  expect(series[0].data.map(({ label }) => label !== undefined)).toEqual([true, false, false]);
  expect([xAxis.data, yAxis.data]).toEqual([
    ['−0.10', '0.05'],
    ['2 d', '4.8 d'],
  ]);
  expect(visualMap.min).toBeCloseTo(0.15, 12);
  expect(visualMap.max).toBeCloseTo(0.35, 12);
});

test('a surface without a value has no bounds and no cells', () => {
  const grid = { days: [0], k: null, volatility: [[null]] };
  expect(surfaceBounds(grid)).toBeNull();
  expect(drawn(grid).series[0].data).toEqual([]);
});
