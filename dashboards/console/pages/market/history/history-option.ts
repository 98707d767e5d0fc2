import type { ChartOption } from '#console/ui/charts/echarts.ts';
import { momentAtExchange } from '#src/lib/charts/figures.ts';
import type { Palette } from '#src/lib/charts/palette.ts';
import { type HistoryName, historyOf } from './histories.ts';

/** A row of any history: its instant, and figures by name. */
export type Point = Readonly<Record<string, unknown>> & { readonly as_of: string };

/** Lines through time with a slider below; of tens of thousands of points as many are drawn as there are pixels. */
export function historyOption(name: HistoryName, rows: readonly Point[], palette: Palette): ChartOption {
  const { lines, format } = historyOf(name);
  const times = rows.map(({ as_of }) => Date.parse(as_of));
  const formatted = (value: unknown) => format(typeof value === 'number' ? value : null);
  return {
    grid: { left: 66, right: 18, top: 14, bottom: 92 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      axisPointer: { label: { formatter: ({ value }: { value: unknown }) => momentAtExchange(Number(value)) } },
      valueFormatter: formatted,
    },
    xAxis: {
      type: 'time',
      name: 'New York time',
      nameLocation: 'middle',
      nameGap: 26,
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', scale: true, axisLabel: { formatter: formatted } },
    dataZoom: [
      { type: 'inside', zoomOnMouseWheel: 'ctrl' },
      { type: 'slider', height: 26, bottom: 10, borderColor: 'transparent', fillerColor: palette.plusWash },
    ],
    series: lines.map(({ name: title, field, tone, type = 'solid', isStep = false }) => ({
      name: title,
      type: 'line',
      showSymbol: rows.length < 60,
      symbolSize: 5,
      // what cannot be seen is left out, and peaks stay
      sampling: 'lttb',
      progressive: 0,
      ...(isStep && { step: 'end' }),
      itemStyle: { color: palette[tone] },
      lineStyle: { color: palette[tone], width: 1.5, type },
      data: rows.map((row, i) => [times[i], row[field] ?? '-']),
    })),
  };
}
