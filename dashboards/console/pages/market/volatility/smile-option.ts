import type { ChartOption } from '#console/ui/charts/echarts.ts';
import { percent, points } from '#src/lib/charts/figures.ts';
import type { Palette } from '#src/lib/charts/palette.ts';
import { type Expiry, smileCurves } from './smile-curves.ts';

/** The quotes of an expiry as bars from bid to ask, the fitted curves, and where spot and forward are. */
export function smileOption(expiry: Expiry, spot: number, palette: Palette): ChartOption {
  const curves = smileCurves(expiry);
  const { k = [], bid = [], ask = [], mid = [] } = expiry.quoted ?? {};
  const strikes = k.map((one) => expiry.forward * Math.exp(one));
  const curve = (name: string, color: string, type: string, pick: (row: (typeof curves)[number]) => number | null) => ({
    name,
    type: 'line',
    showSymbol: false,
    smooth: false,
    itemStyle: { color },
    lineStyle: { color, width: 2, type },
    data: curves.map((row) => [row.strike, pick(row)]),
  });
  const ends = (name: string, rotate: number, values: readonly number[]) => ({
    name,
    type: 'scatter',
    symbol: 'rect',
    symbolSize: [7, 2],
    symbolRotate: rotate,
    itemStyle: { color: palette.spot },
    data: strikes.map((strike, i) => [strike, values[i]]),
  });
  return {
    grid: { left: 58, right: 18, top: 24, bottom: 52 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      axisPointer: { label: { formatter: ({ value }: { value: unknown }) => points(Math.round(Number(value))) } },
      valueFormatter: (value: unknown) => percent(Number(value), 2),
    },
    xAxis: {
      type: 'value',
      scale: true,
      min: Math.floor(curves[0]?.strike ?? 0),
      max: Math.ceil(curves.at(-1)?.strike ?? 1),
      name: 'strike, points',
      nameLocation: 'middle',
      nameGap: 30,
      axisLabel: { formatter: (x: number) => points(Math.round(x)), showMinLabel: false, showMaxLabel: false },
    },
    yAxis: {
      type: 'value',
      scale: true,
      axisLabel: { formatter: (y: number) => percent(y) },
      splitNumber: 4,
    },
    dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }],
    series: [
      {
        ...curve('Surface (eSSVI)', palette.plus, 'solid', ({ surface }) => surface),
        markLine: {
          symbol: 'none',
          silent: true,
          data: [
            {
              xAxis: spot,
              lineStyle: { color: palette.quiet, type: 'dotted' },
              label: { formatter: `Spot ${points(spot)}`, color: palette.quiet, fontSize: 11 },
            },
          ],
        },
      },
      curve('This expiry alone (SVI)', palette.minus, 'dashed', ({ own }) => own),
      {
        // from bid to ask, with a gap behind each
        name: 'Spread',
        type: 'line',
        symbol: 'none',
        connectNulls: false,
        tooltip: { show: false },
        lineStyle: { color: palette.quiet, width: 1.2 },
        data: strikes.flatMap((strike, i) => [
          [strike, bid[i]],
          [strike, ask[i]],
          [strike, '-'],
        ]),
      },
      ends('Bid', 0, bid),
      ends('Ask', 0, ask),
      { ...ends('Mid', 0, mid), symbol: 'circle', symbolSize: 4 },
    ],
  };
}
