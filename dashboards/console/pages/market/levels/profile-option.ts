import { points, signedDollars } from '#console/pages/market/parts/figures.ts';
import type { Palette } from '#console/pages/market/parts/palette.ts';
import type { Figures } from '#console/pages/market/parts/section.tsx';
import type { ChartOption } from '#console/ui/echarts.ts';
import type { LevelLabel } from './level-labels.ts';

export interface Profile {
  readonly gex: Figures<'GET /v1/gex/{symbol}'>;
  /** Prices that are shown. */
  readonly range: readonly [number, number];
  /** Where spot is in two days of three, by what is priced for tomorrow. */
  readonly expected: { readonly lower: number; readonly upper: number } | null;
}

/** Where the plot is within the chart, pixels. */
export const plot = { left: 64, right: 16 } as const;

/**
 * Net gamma of dealers over spot, and below it the gamma of each strike, calls up and puts down, on one axis of prices with
 * every level marked.
 */
export function profileOption(
  { gex, range, expected }: Profile,
  labels: readonly LevelLabel[],
  palette: Palette,
  width: number,
): ChartOption {
  const [low, high] = range;
  const curve = withCrossings(gex.gamma_profile);
  const strikes = gex.profile_by_strike.filter(({ strike }) => strike >= low && strike <= high);
  const bar = Math.min(14, Math.max(2, (0.55 * width) / Math.max(strikes.length, 1)));
  const price = {
    type: 'value',
    min: low,
    max: high,
    // bars at the edges would move this axis against the other one
    containShape: false,
    axisLabel: { formatter: (x: number) => points(Math.round(x)), showMinLabel: false, showMaxLabel: false },
  };
  const amount = { type: 'value', axisLabel: { formatter: signedDollars }, nameLocation: 'end', nameGap: 8 };
  const side = (name: string, tone: string, wash: string, isKept: (value: number) => boolean) => ({
    name,
    type: 'line',
    data: curve.map(([spot, value]) => [spot, isKept(value) ? value : '-']),
    showSymbol: false,
    lineStyle: { width: 2, color: tone },
    itemStyle: { color: tone },
    areaStyle: { color: wash },
    z: 3,
  });
  const bars = (name: string, tone: string, value: (row: (typeof strikes)[number]) => number) => ({
    name,
    type: 'bar',
    stack: 'strikes',
    xAxisIndex: 1,
    yAxisIndex: 1,
    barWidth: bar,
    itemStyle: { color: tone },
    data: strikes.map((row) => [row.strike, value(row)]),
  });
  return {
    grid: [
      { ...plot, top: 6, height: '60%', outerBoundsMode: 'none' },
      { ...plot, bottom: 38, height: '24%', outerBoundsMode: 'none' },
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: { trigger: 'axis', renderMode: 'richText', formatter: tooltip },
    xAxis: [
      { ...price, gridIndex: 0, axisLabel: { show: false } },
      { ...price, gridIndex: 1, name: 'spot and strikes, points', nameLocation: 'middle', nameGap: 22 },
    ],
    yAxis: [
      { ...amount, gridIndex: 0 },
      { ...amount, gridIndex: 1, splitNumber: 2 },
    ],
    series: [
      {
        ...side('Damps moves', palette.plus, palette.plusWash, (value) => value >= 0),
        markLine: lines(labels, palette),
        ...(expected && { markArea: area(expected, palette) }),
      },
      side('Amplifies moves', palette.minus, palette.minusWash, (value) => value <= 0),
      {
        ...bars('Calls', palette.call, ({ call_gex }) => call_gex),
        markLine: lines(labels, palette),
      },
      bars('Puts', palette.put, ({ put_gex }) => put_gex),
    ],
  };
}

function lines(labels: readonly LevelLabel[], palette: Palette): object {
  return {
    symbol: 'none',
    silent: true,
    animation: false,
    label: { show: false },
    data: labels.map(({ level, first: { tone, line } }) => ({
      xAxis: level,
      lineStyle: { color: palette[tone], type: line, width: tone === 'spot' ? 2 : 1.5 },
    })),
  };
}

/** The curve with the points where it crosses zero, so that both of its sides end there. */
function withCrossings({ spots, gex }: Profile['gex']['gamma_profile']): (readonly [number, number])[] {
  return spots.flatMap((spot, i) => {
    const value = gex[i] ?? 0;
    const [next, after] = [spots[i + 1], gex[i + 1]];
    if (next === undefined || after === undefined || value * after >= 0) return [[spot, value] as const];
    return [[spot, value] as const, [spot + ((next - spot) * value) / (value - after), 0] as const];
  });
}

function area({ lower, upper }: { readonly lower: number; readonly upper: number }, palette: Palette): object {
  return { silent: true, itemStyle: { color: palette.band }, data: [[{ xAxis: lower }, { xAxis: upper }]] };
}

function tooltip(given: unknown): string {
  const [first, ...others] = given as readonly {
    readonly seriesName: string;
    readonly value: readonly [number, number];
  }[];
  if (!first) return '';
  const told = [first, ...others].filter(({ value }) => Number.isFinite(value[1]) && value[1] !== 0);
  return [
    `at ${points(first.value[0])}`,
    ...told.map(({ seriesName, value }) => `${seriesName} ${signedDollars(value[1])}`),
  ].join('\n');
}
