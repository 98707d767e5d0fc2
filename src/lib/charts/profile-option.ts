import type { EChartsCoreOption } from 'echarts/core';
import { points, signedDollars } from './figures.ts';
import type { LevelLabel } from './level-labels.ts';
import type { Palette } from './palette.ts';

/** Gamma of a symbol, as the API gives it. */
export interface GammaFigures {
  readonly spot: number;
  /** Net gamma at each spot, $ per +1 %. */
  readonly gamma_profile: { readonly spots: readonly number[]; readonly gex: readonly number[] };
  /** Gamma of each strike, $ per +1 %: calls and puts with the sign of the dealers' side. */
  readonly profile_by_strike: readonly {
    readonly strike: number;
    readonly call_gex: number;
    readonly put_gex: number;
  }[];
}

export interface Profile {
  readonly gex: GammaFigures;
  /** Prices that are shown. */
  readonly range: readonly [number, number];
  /** Range of spot in two days of three, by what is priced for tomorrow. */
  readonly expected: { readonly lower: number; readonly upper: number } | null;
}

/** Places of the two plots within the chart: pixels, or percent of its height. */
export interface ProfileLayout {
  /** Beside the plots, pixels. */
  readonly left: number;
  readonly right: number;
  /** Width of the plots themselves, pixels. */
  readonly width: number;
  readonly curve: { readonly top: number; readonly height: number | string };
  readonly bars: { readonly bottom: number; readonly height: number | string };
  /** Titles of both axes of amounts, where nothing beside the chart says what they are. */
  readonly amounts?: readonly [curve: string, bars: string];
}

/** Meaning of the chart's colours, and the series that have them. */
export const profileLegend = [
  { tone: 'plus', series: 'Damps moves', text: 'dealers damp moves' },
  { tone: 'minus', series: 'Amplifies moves', text: 'dealers amplify moves' },
  { tone: 'call', series: 'Calls', text: 'calls by strike' },
  { tone: 'put', series: 'Puts', text: 'puts by strike' },
  { tone: 'band', series: 'Expected range', text: 'expected range, 1 day' },
] as const satisfies readonly { readonly tone: keyof Palette; readonly series: string; readonly text: string }[];

/** Prices so many percent to each side of spot, as far as net gamma is known there. */
export function profileRange(gex: GammaFigures, reach: number): readonly [number, number] {
  const { spots } = gex.gamma_profile;
  return [
    Math.max(gex.spot * (1 - reach / 100), spots[0] ?? 0),
    Math.min(gex.spot * (1 + reach / 100), spots.at(-1) ?? Number.MAX_VALUE),
  ];
}

/**
 * Net gamma of dealers over spot, and below it the gamma of each strike, calls up and puts down, on one axis of prices
 * with every level marked.
 */
export function profileOption(
  { gex, range, expected }: Profile,
  labels: readonly LevelLabel[],
  palette: Palette,
  layout: ProfileLayout,
): EChartsCoreOption {
  const [low, high] = range;
  const { left, right, width } = layout;
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
  const amount = (name: string | undefined) => ({
    type: 'value',
    axisLabel: { formatter: signedDollars },
    ...(name !== undefined && { name, nameLocation: 'middle', nameGap: 50 }),
  });
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
      { left, right, ...layout.curve, outerBoundsMode: 'none' },
      { left, right, ...layout.bars, outerBoundsMode: 'none' },
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: { trigger: 'axis', renderMode: 'richText', formatter: tooltip },
    xAxis: [
      { ...price, gridIndex: 0, axisLabel: { show: false } },
      { ...price, gridIndex: 1, name: 'spot and strikes, points', nameLocation: 'middle', nameGap: 22 },
    ],
    yAxis: [
      { ...amount(layout.amounts?.[0]), gridIndex: 0 },
      { ...amount(layout.amounts?.[1]), gridIndex: 1, splitNumber: 2 },
    ],
    series: [
      ...(expected ? [band(expected, palette)] : []),
      {
        ...side('Damps moves', palette.plus, palette.plusWash, (value) => value >= 0),
        markLine: lines(labels, palette),
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

/** An area between two prices; a series without points, so that a legend can name it. */
function band({ lower, upper }: NonNullable<Profile['expected']>, palette: Palette): object {
  const itemStyle = { color: palette.band };
  const markArea = { silent: true, itemStyle, data: [[{ xAxis: lower }, { xAxis: upper }]] };
  return { name: 'Expected range', type: 'line', data: [], itemStyle, markArea };
}

function tooltip(parameters: unknown): string {
  const [first, ...others] = parameters as readonly {
    readonly seriesName: string;
    readonly value: readonly [number, number];
  }[];
  if (!first) return '';
  const drawn = [first, ...others].filter(({ value }) => Number.isFinite(value[1]) && value[1] !== 0);
  return [
    `at ${points(first.value[0])}`,
    ...drawn.map(({ seriesName, value }) => `${seriesName} ${signedDollars(value[1])}`),
  ].join('\n');
}
