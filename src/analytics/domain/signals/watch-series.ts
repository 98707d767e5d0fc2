import { cusumStep, robustZ } from '#src/analytics/domain/statistics/anomaly.ts';
import type { Series } from './signals-schema.ts';

/** Values a robust z is measured against, and the fewest that allow one. */
const WINDOW = 120;
const MIN_WINDOW = 30;
const ROBUST_Z = 6;
const CUSUM_LIMIT = 5;

export interface Alarm {
  readonly test: 'robust_z' | 'cusum';
  readonly value: number;
  readonly limit: number;
}

/**
 * A series after one more value, and whether that value is out of line (robust z above 6) or its drift is (CUSUM above 5,
 * analytics.md 2.12). Each value is held against those before it; an unknown one changes nothing.
 */
export function watchSeries(
  before: Series,
  value: number | null,
  what: 'value' | 'change',
): { readonly series: Series; readonly alarm: Alarm | null } {
  if (value === null) return { series: before, alarm: null };
  if (what === 'change' && before.last === null) return { series: { ...before, last: value }, alarm: null };
  const entry = what === 'change' ? value - before.last! : value;
  const window = [...before.window, entry].slice(-WINDOW);
  const z = before.window.length < MIN_WINDOW ? null : robustZ(entry, before.window);
  if (z === null) return { series: { ...before, last: value, window }, alarm: null };
  const { up, down } = cusumStep(before, z);
  const drift = up > down ? up : -down;
  const drifted = Math.abs(drift) > CUSUM_LIMIT;
  const series = { last: value, window, up: drifted ? 0 : up, down: drifted ? 0 : down };
  if (Math.abs(z) > ROBUST_Z) return { series, alarm: { test: 'robust_z', value: z, limit: ROBUST_Z } };
  return { series, alarm: drifted ? { test: 'cusum', value: drift, limit: CUSUM_LIMIT } : null };
}
