import { BarChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  DatasetComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { chartTheme } from '#src/lib/charts/chart-theme.ts';

use([
  BarChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
  DatasetComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  TooltipComponent,
  VisualMapComponent,
  CanvasRenderer,
]);

export type ChartOption = EChartsCoreOption;

/** A chart on the page. */
export interface DrawnChart {
  readonly set: (option: ChartOption, merge: boolean) => void;
  readonly end: () => void;
}

/** Draws a chart that fills its place, and follows its size. */
export function drawChart(place: HTMLElement, scheme: 'light' | 'dark'): DrawnChart {
  const chart = init(place, chartTheme(scheme), { renderer: 'canvas' });
  const watcher = new ResizeObserver(() => chart.resize());
  watcher.observe(place);
  return {
    set: (option, merge) =>
      // texts on the canvas alone: a tooltip in HTML would need styles that the page does not allow
      chart.setOption({ animation: false, tooltip: { renderMode: 'richText' }, ...option }, { notMerge: !merge }),
    end: () => {
      watcher.disconnect();
      chart.dispose();
    },
  };
}
