import { points } from './figures.ts';
import type { NamedLevel } from './named-levels.ts';

/** A label above a chart, and where it has room. */
export interface LevelLabel {
  readonly text: string;
  readonly level: number;
  /** The level whose colour and line it has. */
  readonly first: NamedLevel;
  /** Its middle, pixels from the left of the plot. */
  readonly middle: number;
  /** 0 is next to the chart. */
  readonly row: number;
}

/** About the width of a letter in the labels, pixels. */
const LETTER = 6.4;
const GAP = 10;

/**
 * Labels of levels between two prices on a plot so many pixels wide: those of one price share a label, and each stands in
 * the lowest row where it touches no other.
 */
export function levelLabels(
  levels: readonly NamedLevel[],
  [low, high]: readonly [number, number],
  width: number,
): readonly LevelLabel[] {
  const shown = levels.filter(({ level }) => level > low && level < high).toSorted((a, b) => a.level - b.level);
  const ends: number[] = [];
  return [...Map.groupBy(shown, ({ level }) => level)].map(([level, group]) => {
    const text = `${group.map(({ short }) => short).join(' · ')} ${points(level)}`;
    const half = (text.length * LETTER + GAP) / 2;
    // a label keeps within the chart
    const middle = Math.min(Math.max((width * (level - low)) / (high - low), half), width - half);
    const free = ends.findIndex((end) => end <= middle - half);
    const row = free === -1 ? ends.length : free;
    ends[row] = middle + half;
    return { text, level, first: group[0]!, middle, row };
  });
}
