import type { ChartOption } from '#console/ui/charts/echarts.ts';
import { signedDollars } from '#src/lib/charts/figures.ts';
import type { Palette } from '#src/lib/charts/palette.ts';
import { nameOf, type StressResult } from './scenarios.ts';

/** Chart of the profit or loss of dealers under each shock, hedged and not, and of the net gamma that remains. */
export function stressOption(results: readonly StressResult[], palette: Palette): ChartOption {
  const bars = (name: string, color: string, value: (result: StressResult) => number) => ({
    name,
    type: 'bar',
    barMaxWidth: 22,
    itemStyle: { color },
    data: results.map(value),
  });
  return {
    grid: [
      { left: 68, right: 16, top: 30, height: '40%' },
      { left: 68, right: 16, bottom: 64, height: '24%' },
    ],
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      valueFormatter: (value: unknown) => signedDollars(Number(value)),
    },
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    xAxis: [0, 1].map((gridIndex) => ({
      type: 'category',
      gridIndex,
      data: results.map(nameOf),
      axisLabel: { show: gridIndex === 1, hideOverlap: true, width: 90, overflow: 'break', lineHeight: 13 },
    })),
    yAxis: [
      { type: 'value', name: 'P&L, $', nameTextStyle: { align: 'left' }, axisLabel: { formatter: signedDollars } },
      {
        type: 'value',
        gridIndex: 1,
        splitNumber: 2,
        name: 'net gamma after, $ per +1 %',
        nameTextStyle: { align: 'left' },
        axisLabel: { formatter: signedDollars },
      },
    ],
    series: [
      bars('Hedged', palette.call, ({ pnl }) => pnl.hedged),
      bars('Unhedged', palette.faint, ({ pnl }) => pnl.unhedged),
      {
        name: 'Net gamma after',
        type: 'bar',
        xAxisIndex: 1,
        yAxisIndex: 1,
        barMaxWidth: 34,
        data: results.map(({ net_gex: value }) => ({
          value,
          itemStyle: { color: value < 0 ? palette.minus : palette.plus },
        })),
      },
    ],
  };
}
