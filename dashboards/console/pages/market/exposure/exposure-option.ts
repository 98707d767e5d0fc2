import type { ChartOption } from '#console/ui/charts/echarts.ts';
import { points, signedDollars } from '#src/lib/charts/figures.ts';
import type { Palette } from '#src/lib/charts/palette.ts';

/** Exposure at one strike or of one expiry, $; calls and puts are null where the API tells the sum alone. */
export interface ExposureRow {
  readonly name: string;
  readonly strike: number | null;
  readonly net: number;
  readonly calls: number | null;
  readonly puts: number | null;
  /** One standard error of the net; null without one. */
  readonly sd: number | null;
}

/** Exposure as bars: calls and puts on top of each other, or the net alone in the colour of its sign. */
export function exposureOption(
  rows: readonly ExposureRow[],
  palette: Palette,
  { isSplit, spot, axis }: { readonly isSplit: boolean; readonly spot: number; readonly axis: string },
): ChartOption {
  const isByStrike = rows.every(({ strike }) => strike !== null);
  const datum = (row: ExposureRow, value: number, color: string) => ({
    value: isByStrike ? [row.strike, value] : value,
    itemStyle: { color },
  });
  const bars = (name: string, color: string, value: (row: ExposureRow) => number) => ({
    name,
    type: 'bar',
    stack: 'exposure',
    barMaxWidth: 26,
    barMinWidth: 3,
    itemStyle: { color },
    data: rows.map((row) => datum(row, value(row), color)),
  });
  const net = {
    name: 'Net',
    type: 'bar',
    barMaxWidth: 26,
    barMinWidth: 3,
    data: rows.map((row) => datum(row, row.net, row.net < 0 ? palette.minus : palette.plus)),
  };
  const mark = {
    symbol: 'none',
    silent: true,
    data: [
      { xAxis: spot, lineStyle: { color: palette.spot, width: 1.5, type: 'dotted' }, label: label(spot, palette) },
    ],
  };
  const series = isSplit
    ? [bars('Calls', palette.call, ({ calls }) => calls ?? 0), bars('Puts', palette.put, ({ puts }) => puts ?? 0)]
    : [net];
  return {
    grid: { left: 66, right: 16, top: 26, bottom: 58 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      valueFormatter: (value: unknown) => signedDollars(Number(value)),
    },
    xAxis: {
      ...(isByStrike
        ? { type: 'value', min: rows[0]?.strike, max: rows.at(-1)?.strike, axisLabel: { formatter: points } }
        : { type: 'category', data: rows.map(({ name }) => name), axisLabel: { hideOverlap: true } }),
      name: axis,
      nameLocation: 'middle',
      nameGap: 36,
    },
    yAxis: { type: 'value', axisLabel: { formatter: signedDollars } },
    dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }],
    series: series.map((one, i) => (i === 0 && isByStrike ? { ...one, markLine: mark } : one)),
  };
}

function label(spot: number, palette: Palette): object {
  return { formatter: `Spot ${points(spot)}`, color: palette.spot, fontWeight: 600, fontSize: 11, position: 'end' };
}
