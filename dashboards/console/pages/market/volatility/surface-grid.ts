import type { Figures } from '#console/pages/market/parts/section.tsx';
import { percent } from '#src/lib/charts/figures.ts';
import { surfaceBounds } from '#src/lib/charts/surface-option.ts';
import type { Heights, Place } from './surface-scene.ts';

export type Grid = Figures<'GET /v1/surface/{symbol}'>['grid'];

/** A text beside the surface. */
export interface AxisText {
  readonly text: string;
  readonly at: Place;
  readonly isTitle?: boolean;
}

export interface Shape {
  readonly heights: Heights;
  readonly texts: readonly AxisText[];
  readonly lowest: number;
  readonly highest: number;
}

/** A surface as heights from 0 to 1, and what stands at its axes; null where it has no value. */
export function shapeOf(grid: Grid): Shape | null {
  const { days, k, volatility } = grid;
  const bounds = surfaceBounds(grid);
  if (bounds === null || k === null || days.length < 2) return null;
  const { lowest, highest } = bounds;
  const height = (value: number | null | undefined) => ((value ?? lowest) - lowest) / (highest - lowest);
  const moneyness = [0, 9, 18, 27, 36].map((column) => ({
    text: percent(Math.expm1(k[column] ?? 0), 0),
    at: [column / (k.length - 1), 0, 1.07] as const,
  }));
  const times = [0, 10, 20, 30].map((row) => ({
    text: `${Math.round(days[row] ?? 0)} d`,
    at: [-0.05, 0, row / (days.length - 1)] as const,
  }));
  const levels = [0, 0.5, 1].map((part) => ({
    text: percent(lowest + part * (highest - lowest), 0),
    at: [0, part, -0.06] as const,
  }));
  return {
    lowest,
    highest,
    heights: { rows: days.length, columns: k.length, at: (row, column) => height(volatility[row]?.[column]) },
    texts: [
      ...moneyness,
      ...times,
      ...levels,
      { text: 'strike from forward', at: [0.5, 0, 1.24], isTitle: true },
      { text: 'days to settlement', at: [-0.24, 0, 0.5], isTitle: true },
      { text: 'volatility a year', at: [0, 1.14, -0.06], isTitle: true },
    ],
  };
}
