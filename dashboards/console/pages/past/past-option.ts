import type { Answer } from '#console/api/client.ts';
import type { ChartOption } from '#console/ui/charts/echarts.ts';
import type { Palette } from '#src/lib/charts/palette.ts';
import { shownSeconds } from '#src/lib/text/shown-seconds.ts';

/** The past of all queues, or of one. */
export type Past = Pick<
  Answer<'GET /v1/operations/history'>,
  'from' | 'to' | 'step_seconds' | 'points' | 'total' | 'grafana'
>;
export type PastPoint = Past['points'][number];
export type PastFigures = Past['total'];

/** Times whose quantiles are drawn. */
export type TimesName = 'wait' | 'run';

const begin = ({ at }: PastPoint) => Date.parse(at);

/** Begins and ends of the times of which nothing is known. */
export function gapsOf({ from, to, step_seconds: step, points }: Past): readonly (readonly [number, number])[] {
  const gaps: [number, number][] = [];
  let known = Date.parse(from);
  for (const point of points) {
    if (begin(point) > known) gaps.push([known, begin(point)]);
    known = begin(point) + step * 1_000;
  }
  if (Date.parse(to) > known) gaps.push([known, Date.parse(to)]);
  return gaps;
}

function frame(past: Past): ChartOption {
  return {
    grid: { left: 48, right: 10, top: 30, bottom: 24 },
    legend: { top: 0, right: 0 },
    xAxis: { type: 'time', min: Date.parse(past.from), max: Date.parse(past.to), axisLabel: { hideOverlap: true } },
  };
}

/** Bands over what is not known, behind a series. */
function unknownBands(past: Past, palette: Palette) {
  return {
    silent: true,
    itemStyle: { color: palette.band },
    data: gapsOf(past).map(([since, until]) => [{ xAxis: since }, { xAxis: until }]),
  };
}

/** Jobs that ended in each step, by how, one above the other. */
export function endsOption(past: Past, palette: Palette): ChartOption {
  const bars = (name: string, color: string, of: (point: PastPoint) => number, more: object = {}) => ({
    name,
    type: 'bar',
    stack: 'ends',
    barCategoryGap: '10%',
    itemStyle: { color },
    // a bar stands in the middle of its step
    data: past.points.map((point) => [begin(point) + past.step_seconds * 500, of(point)]),
    ...more,
  });
  return {
    ...frame(past),
    tooltip: { trigger: 'axis' },
    yAxis: { type: 'value', minInterval: 1, min: 0 },
    series: [
      bars('Succeeded', palette.plus, ({ succeeded }) => succeeded, { markArea: unknownBands(past, palette) }),
      bars('Failed', palette.flip, ({ failed }) => failed),
      bars('Cancelled or expired', palette.faint, ({ cancelled, expired }) => cancelled + expired),
    ],
  };
}

const quantiles = [
  ['p50', 'plus', 'solid'],
  ['p95', 'minus', 'solid'],
  ['p99', 'flip', 'dashed'],
] as const;

/** Quantiles of a time in each step; no line where none was measured, or nothing is known. */
export function timesOption(past: Past, which: TimesName, palette: Palette): ChartOption {
  return {
    ...frame(past),
    tooltip: {
      trigger: 'axis',
      valueFormatter: (value: unknown) => (typeof value === 'number' ? shownSeconds(value) : '–'),
    },
    yAxis: {
      type: 'value',
      min: 0,
      axisLabel: { formatter: (seconds: number) => (seconds === 0 ? '0' : shownSeconds(seconds)) },
    },
    series: quantiles.map(([name, tone, type], place) => ({
      name,
      type: 'line',
      connectNulls: false,
      symbolSize: 4,
      showSymbol: past.points.length < 80,
      itemStyle: { color: palette[tone] },
      lineStyle: { color: palette[tone], width: 1.5, type },
      data: withGaps(past).map(([at, point]) => [at, point?.[which]?.[name] ?? null]),
      ...(place === 0 && { markArea: unknownBands(past, palette) }),
    })),
  };
}

/** The points with the middle of their steps, and nothing where a gap begins. */
function withGaps(past: Past): readonly (readonly [number, PastPoint | null])[] {
  const points = past.points.map((point) => [begin(point) + past.step_seconds * 500, point] as const);
  const gaps = gapsOf(past).map(([since]) => [since, null] as const);
  return [...points, ...gaps].toSorted(([a], [b]) => a - b);
}
