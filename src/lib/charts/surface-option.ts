import type { EChartsCoreOption } from 'echarts/core';
import { isFigure, percent } from './figures.ts';
import { type Palette, volatilityRamp } from './palette.ts';

/** Values of a volatility surface, as the API gives them: a row a day, a column a log-moneyness. */
export interface SurfaceGrid {
  /** Calendar days to settlement. */
  readonly days: readonly number[];
  /** ln(K/F); null where strikes were requested. */
  readonly k: readonly number[] | null;
  /** Decimal a year; null where there is none. */
  readonly volatility: readonly (readonly (number | null)[])[];
}

/**
 * Points of the surface that are requested: near days close together, as volatility changes most there; log-moneyness
 * evenly.
 */
export const surfacePlaces = {
  days: Array.from({ length: 31 }, (_, i) => Math.round(10 * 2 * (365 / 2) ** (i / 30)) / 10),
  k: Array.from({ length: 37 }, (_, i) => Math.round(1e4 * (-0.24 + (i * 0.4) / 36)) / 1e4),
};

/** The multiples of 5 % between which all values lie, as decimals; null where there is no value. */
export function surfaceBounds({
  volatility,
}: SurfaceGrid): { readonly lowest: number; readonly highest: number } | null {
  const values = volatility.flat().filter(isFigure);
  if (values.length === 0) return null;
  return { lowest: Math.floor(20 * Math.min(...values)) / 20, highest: Math.ceil(20 * Math.max(...values)) / 20 };
}

/** Every so many columns and rows are named at the axes, and have their value in the cell. */
const STEP = { column: 9, row: 5 };
/** Texts on cells: on the darker ones and on the lighter ones. Of no scheme, as the cells are of none. */
const INK = { light: '#fff', dark: '#111' };

/** The surface from above: a cell a value, the darker the lower, with figures where the axes name the place. */
export function surfaceOption(grid: SurfaceGrid, palette: Palette, top: number): EChartsCoreOption {
  const { days, volatility } = grid;
  const k = grid.k ?? [];
  const { lowest, highest } = surfaceBounds(grid) ?? { lowest: 0, highest: 1 };
  const axis = { type: 'category', nameLocation: 'middle', splitLine: { show: false } };
  const cell = (column: number, row: number, value: number) => {
    if (column % STEP.column !== 0 || row % STEP.row !== 0) return { value: [column, row, value] };
    const color = value - lowest > 0.6 * (highest - lowest) ? INK.dark : INK.light;
    // those at the edges keep within the plot
    const position = column === 0 ? 'insideLeft' : column === k.length - 1 ? 'insideRight' : 'inside';
    return { value: [column, row, value], label: { show: true, color, position } };
  };
  return {
    grid: { left: 64, right: 90, top, bottom: 46, outerBoundsMode: 'none' },
    tooltip: {
      renderMode: 'richText',
      formatter: ({ value: [column = 0, row = 0, value = 0] }: { readonly value: readonly number[] }) =>
        `${percent(value)} at ${day(days[row])}, ln(K/F) ${moneyness(k[column])}`,
    },
    xAxis: {
      ...axis,
      name: 'Log-moneyness ln(K/F)',
      nameGap: 26,
      data: k.map(moneyness),
      axisLabel: { interval: every(STEP.column) },
    },
    yAxis: {
      ...axis,
      name: 'Days to expiry',
      nameGap: 46,
      data: days.map(day),
      axisLabel: { interval: every(STEP.row) },
    },
    visualMap: {
      type: 'continuous',
      calculable: false,
      min: lowest,
      max: highest,
      right: 12,
      top,
      itemWidth: 14,
      itemHeight: 220,
      text: [`Implied\nvolatility\nper year\n${percent(highest, 0)}`, percent(lowest, 0)],
      textStyle: { color: palette.quiet, fontSize: 11, lineHeight: 15 },
      inRange: { color: [...volatilityRamp] },
    },
    series: [
      {
        name: 'Implied volatility',
        type: 'heatmap',
        label: {
          show: false,
          fontSize: 11,
          formatter: ({ value: [, , value] }: { readonly value: readonly number[] }) => percent(value),
        },
        data: volatility.flatMap((values, row) =>
          values.flatMap((value, column) => (isFigure(value) ? [cell(column, row, value)] : [])),
        ),
      },
    ],
  };
}

function every(step: number): (index: number) => boolean {
  return (index) => index % step === 0;
}

function day(days: number | undefined): string {
  const number = days ?? 0;
  return `${Number.isInteger(number) || number >= 10 ? Math.round(number) : number.toFixed(1)} d`;
}

function moneyness(k: number | undefined): string {
  return (k ?? 0).toFixed(2).replace('-', '−');
}
