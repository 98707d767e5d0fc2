import { BarChart, HeatmapChart, LineChart } from 'echarts/charts';
import {
  GraphicComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { chartTheme, themeTones } from '#src/lib/charts/chart-theme.ts';
import { palettes } from '#src/lib/charts/palette.ts';

use([
  BarChart,
  HeatmapChart,
  LineChart,
  GraphicComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
  SVGRenderer,
]);

/** A picture of one chart. */
export interface Picture {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly subtitle: string;
  /** Option that ECharts draws, in the light colours. */
  readonly option: EChartsCoreOption;
}

/**
 * Draws a picture as an SVG file on a ground of its own, so that it can be read on any page, light or dark. The same
 * picture is the same bytes, and nothing in it comes from elsewhere: no scripts, fonts or images.
 */
export function drawSvg({ width, height, title, subtitle, option }: Picture): string {
  const chart = init(null, chartTheme('light'), { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: palettes.light.ground,
      title: {
        text: title,
        subtext: subtitle,
        left: 24,
        top: 18,
        itemGap: 8,
        textStyle: { color: palettes.light.spot, fontSize: 20, fontWeight: 600 },
        subtextStyle: { color: palettes.light.quiet, fontSize: 13 },
      },
      ...option,
    });
    return finished(chart.renderToSVGString(), `${title}. ${subtitle}`);
  } finally {
    chart.dispose();
  }
}

/**
 * Finishes the file of a rendering: described in words, in the colours of its reader, without what changes from one to
 * the next.
 */
function finished(rendered: string, label: string): string {
  const svg = rendered
    // styles under the pointer, which a picture does without, with classes counted since the process began
    .replace(/<style ><!\[CDATA\[[\s\S]*?\]\]>\s*<\/style>\n?/, '')
    .replaceAll(/ (?:class="zr\d+-[^"]*"|ecmeta_\w+="[^"]*")/g, '')
    // names of clipped areas are counted in the picture; what comes before, since the process began
    .replaceAll(/(="(?:url\(#)?)zr\d+-/g, '$1');
  return `${svg.replace('<svg ', `<svg role="img" aria-label="${escaped(label)}" `).replace('>', `>\n<style>${darkStyle}</style>`)}\n`;
}

/** Puts each light colour's dark one in its place where the reader's page is dark. */
const darkStyle = `@media(prefers-color-scheme:dark){${[
  ...rules(palettes.light, palettes.dark),
  ...rules(themeTones.light, themeTones.dark),
].join('')}}`;

function rules<Tones extends Readonly<Record<string, string>>>(
  light: Tones,
  dark: { readonly [Tone in keyof Tones]: string },
): string[] {
  return Object.entries(light).flatMap(([tone, colour]) =>
    ['fill', 'stroke'].map(
      (property) => `[${property}="${opaque(colour)}"]{${property}:${opaque(dark[tone] ?? colour)}}`,
    ),
  );
}

/** A colour as the renderer writes it: what shines through is said beside it. */
function opaque(colour: string): string {
  const [, red, green, blue] = /^rgba\((\d+), (\d+), (\d+)/.exec(colour) ?? [];
  return red === undefined ? colour : `rgb(${red},${green},${blue})`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
