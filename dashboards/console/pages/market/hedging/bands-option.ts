import type { Figures } from '#console/pages/market/parts/section.tsx';
import type { ChartOption } from '#console/ui/charts/echarts.ts';
import { percent, points, signedDollars } from '#src/lib/charts/figures.ts';
import type { Palette } from '#src/lib/charts/palette.ts';

export type Bands = Figures<'GET /v1/hedging-bands/{symbol}'>;

interface Drawn {
  readonly bands: Bands;
  readonly profile: Figures<'GET /v1/gex/{symbol}'>['gamma_profile'];
  readonly spot: number;
}

/** Net gamma over spot with the band in which dealers rest, and the zones beyond it in the colour of their gamma. */
export function bandsOption({ bands, profile, spot }: Drawn, palette: Palette): ChartOption {
  const reach = Math.max(0.04 * spot, 12 * (bands.half_width_pts ?? 0));
  // the part that is shown, so that labels are within it
  const zones = bands.zones.map((zone, i) => [
    {
      xAxis: Math.max(zone.lower, spot - reach),
      itemStyle: { color: zone.sign === 'positive' ? palette.plusWash : palette.minusWash },
      label: {
        formatter: `zone ${i + 1}: ${percent(zone.hit.p_close ?? zone.hit.p_1d, 0)}`,
        position: zone.upper < spot ? 'insideTopLeft' : 'insideTopRight',
        color: palette.quiet,
        fontSize: 11,
      },
    },
    { xAxis: Math.min(zone.upper, spot + reach) },
  ]);
  const edges = [bands.lower, bands.upper].flatMap((edge) => (edge ? [edge.level] : []));
  const band =
    edges.length === 2
      ? [[{ xAxis: edges[0], itemStyle: { color: palette.band }, label: { show: false } }, { xAxis: edges[1] }]]
      : [];
  const marks = [
    { xAxis: spot, text: `Spot ${points(spot)}`, color: palette.spot, type: 'solid' },
    ...edges.map((level) => ({ xAxis: level, text: '', color: palette.quiet, type: 'dashed' })),
  ];
  return {
    grid: { left: 64, right: 18, top: 26, bottom: 48 },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      axisPointer: { label: { formatter: ({ value }: { value: unknown }) => points(Math.round(Number(value))) } },
      valueFormatter: (value: unknown) => signedDollars(Number(value)),
    },
    xAxis: {
      type: 'value',
      min: Math.max(spot - reach, profile.spots[0] ?? 0),
      max: Math.min(spot + reach, profile.spots.at(-1) ?? Number.MAX_VALUE),
      name: 'spot, points',
      nameLocation: 'middle',
      nameGap: 28,
      axisLabel: { formatter: (x: number) => points(Math.round(x)), showMinLabel: false, showMaxLabel: false },
    },
    yAxis: { type: 'value', axisLabel: { formatter: signedDollars } },
    dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }],
    series: [
      {
        name: 'Net gamma',
        type: 'line',
        showSymbol: false,
        lineStyle: { color: palette.quiet, width: 2 },
        itemStyle: { color: palette.quiet },
        data: profile.spots.map((at, i) => [at, profile.gex[i]]),
        markArea: { silent: true, data: [...zones, ...band] },
        markLine: {
          symbol: 'none',
          silent: true,
          data: marks.map(({ xAxis, text, color, type }) => ({
            xAxis,
            lineStyle: { color, type, width: 1.5 },
            label: { show: text !== '', formatter: text, color, fontSize: 11, fontWeight: 600 },
          })),
        },
      },
    ],
  };
}
