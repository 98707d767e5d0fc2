import type { Figures } from '#console/pages/market/parts/section.tsx';
import type { ChartOption } from '#console/ui/charts/echarts.ts';
import { signedDollars, timeAtExchange } from '#src/lib/charts/figures.ts';
import type { Palette } from '#src/lib/charts/palette.ts';

export type Schedule = Figures<'GET /v1/charm/{symbol}/schedule'>;

/** Flow of each window as bars, what has come together since the opening as a line, and when it begins to matter. */
export function charmOption({ windows, activation }: Schedule, asOf: string | null, palette: Palette): ChartOption {
  const names = windows.map(({ from }) => timeAtExchange(from));
  const at = (moment: string | null | undefined) =>
    moment ? windows.findIndex(({ from, to }) => from <= moment && moment < to) : -1;
  const marks = [
    { place: at(asOf), text: 'now', color: palette.spot, type: 'solid' },
    { place: at(activation?.at), text: 'active from here', color: palette.flip, type: 'dashed' },
  ].filter(({ place }) => place >= 0);
  return {
    grid: { left: 64, right: 68, top: 40, bottom: 48 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      valueFormatter: (value: unknown) => signedDollars(Number(value)),
    },
    xAxis: {
      type: 'category',
      data: names,
      name: 'window begins, New York time',
      nameLocation: 'middle',
      nameGap: 30,
      axisLabel: { hideOverlap: true },
    },
    yAxis: [
      { type: 'value', name: 'a window', axisLabel: { formatter: signedDollars } },
      { type: 'value', name: 'in all', axisLabel: { formatter: signedDollars }, splitLine: { show: false } },
    ],
    series: [
      {
        name: 'Flow of the window',
        type: 'bar',
        barMaxWidth: 34,
        data: windows.map(({ flow_usd: flow }) => ({
          value: flow,
          itemStyle: { color: flow < 0 ? palette.minus : palette.plus },
        })),
        markLine: {
          symbol: 'none',
          silent: true,
          data: marks.map(({ place, text, color, type }, i) => ({
            xAxis: place,
            lineStyle: { color, type, width: 1.5 },
            // one above the other, as they may be close
            label: { formatter: text, color, fontSize: 11, distance: [0, 3 + 13 * i] },
          })),
        },
      },
      {
        name: 'Since the opening',
        type: 'line',
        yAxisIndex: 1,
        symbol: 'circle',
        symbolSize: 5,
        itemStyle: { color: palette.quiet },
        lineStyle: { color: palette.quiet, width: 2 },
        data: windows.map(({ cumulative_usd: sum }) => sum),
      },
    ],
  };
}
