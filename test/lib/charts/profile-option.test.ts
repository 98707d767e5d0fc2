import { expect, test } from 'vitest';
import { levelLabels } from '#src/lib/charts/level-labels.ts';
import { namedLevels, reachFor } from '#src/lib/charts/named-levels.ts';
import { palettes } from '#src/lib/charts/palette.ts';
import { type GammaFigures, profileLegend, profileOption, profileRange } from '#src/lib/charts/profile-option.ts';

const gex: GammaFigures = {
  spot: 100,
  gamma_profile: { spots: [90, 95, 105, 110], gex: [-4, -2, 6, 8] },
  profile_by_strike: [
    { strike: 80, call_gex: 1, put_gex: -1 },
    { strike: 100, call_gex: 5, put_gex: -3 },
  ],
};
const flip = { level: 97.5, direction: 'neg_to_pos' as const };
const figures = {
  spot: 100,
  flips: { primary: flip, flips: [flip] },
  levels: { call_wall: 104, put_wall: 96, abs_gamma: 104, hvl: null },
};
const layout = { left: 50, right: 10, width: 400, curve: { top: 0, height: 100 }, bars: { bottom: 0, height: 50 } };

interface Drawn {
  readonly series: readonly { readonly name: string; readonly data: readonly (readonly [number, unknown])[] }[];
  readonly xAxis: readonly { readonly min: number; readonly max: number }[];
  readonly yAxis: readonly { readonly name?: string }[];
}

function drawn(range: readonly [number, number], amounts?: readonly [string, string]): Drawn {
  const labels = levelLabels(namedLevels(figures), range, layout.width);
  const asked = { ...layout, ...(amounts && { amounts }) };
  return profileOption({ gex, range, expected: { lower: 99, upper: 101 } }, labels, palettes.light, asked) as never;
}

test('both sides of the curve end where it crosses zero, and each has a name in the legend', () => {
  const { series } = drawn([90, 110]);
  const [plus, minus] = ['Damps moves', 'Amplifies moves'].map((name) => series.find((one) => one.name === name)?.data);
  expect(plus).toEqual([
    [90, '-'],
    [95, '-'],
    [97.5, 0],
    [105, 6],
    [110, 8],
  ]);
  expect(minus?.map(([, value]) => value)).toEqual([-4, -2, 0, '-', '-']);
  expect(series.map(({ name }) => name).toSorted()).toEqual(profileLegend.map((one) => one.series).toSorted());
});

test('both plots have one axis of prices, and strikes outside of it are left out', () => {
  const { series, xAxis, yAxis } = drawn([90, 110], ['above', 'below']);
  expect(xAxis.map(({ min, max }) => [min, max])).toEqual([
    [90, 110],
    [90, 110],
  ]);
  expect(series.find(({ name }) => name === 'Puts')?.data).toEqual([[100, -3]]);
  expect(yAxis.map(({ name }) => name)).toEqual(['above', 'below']);
  // a page that says beside the chart what it shows
  expect(drawn([90, 110]).yAxis.map(({ name }) => name)).toEqual([undefined, undefined]);
});

test('the range is the least with the first flip and both walls, as far as gamma is known', () => {
  const levels = namedLevels(figures);
  expect(reachFor(levels, 100)).toBe(6);
  expect(profileRange(gex, 6)).toEqual([94, 106]);
  expect(profileRange(gex, 15)).toEqual([90, 110]);
  expect(reachFor(namedLevels({ ...figures, levels: { ...figures.levels, call_wall: 140 } }), 100)).toBe(15);
});

test('labels of one price are one, and none touches another in its row', () => {
  const labels = levelLabels(namedLevels(figures), [90, 110], 400);
  expect(labels.map(({ text }) => text)).toEqual([
    'Put wall 96',
    'Flip 97.50',
    'Spot 100',
    'Call wall · Max gamma 104',
  ]);
  const half = (text: string) => (text.length * 6.4 + 10) / 2;
  for (const [i, one] of labels.entries())
    for (const other of labels.slice(i + 1))
      if (one.row === other.row)
        expect(one.middle + half(one.text)).toBeLessThanOrEqual(other.middle - half(other.text) + 1e-9);
});
