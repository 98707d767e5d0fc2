import type { Crossing } from './signals-schema.ts';

/** Observations in a row that establish the other side. */
const TICKS = 2;
/** A distance beyond the level that establishes it at once: 0.1 %. */
const CLEAR = 0.001;

export interface CrossingStep {
  readonly crossing: Crossing;
  /** The level that was crossed for good and the side spot is on now; null where none was. */
  readonly crossed: { readonly level: number; readonly side: 1 | -1 } | null;
}

/**
 * Watches a level that may move, such as the flip: spot has crossed when it is on the other side for two observations
 * or 0.1 % beyond. The first side seen is taken as established and crosses nothing. A level that leaps by 0.1 % while spot
 * stays on its side of the old one is another level, as when the nearest of several flips changes: seen anew.
 */
export function crossMoving(before: Crossing, level: number | null, spot: number): CrossingStep {
  if (level === null) return { crossing: before, crossed: null };
  const side = Math.sign(spot - level) as -1 | 0 | 1;
  if (before.side === 0 || side === 0 || side === before.side) {
    return { crossing: { level, side: before.side || side, ticks: 0 }, crossed: null };
  }
  if (isAnother(before, level, spot)) return { crossing: { level, side, ticks: 0 }, crossed: null };
  const ticks = before.ticks + 1;
  if (!isClear(ticks, level, spot)) return { crossing: { level, side: before.side, ticks }, crossed: null };
  return { crossing: { level, side, ticks: 0 }, crossed: { level, side } };
}

/**
 * Watches a wall that is always ahead of spot (`outside` is the side beyond it). Once spot is past, the chain names the
 * next wall, so the one that was crossed is the one remembered.
 */
export function crossWall(before: Crossing, wall: number | null, spot: number, outside: 1 | -1): CrossingStep {
  const inside = outside === 1 ? -1 : 1;
  if (before.level === null || (spot - before.level) * outside <= 0) {
    return { crossing: { level: wall ?? before.level, side: inside, ticks: 0 }, crossed: null };
  }
  const ticks = before.ticks + 1;
  if (!isClear(ticks, before.level, spot)) return { crossing: { ...before, ticks }, crossed: null };
  return { crossing: { level: wall, side: inside, ticks: 0 }, crossed: { level: before.level, side: outside } };
}

/** Checks whether a level is not the one before, moved: it leapt, and spot is still on the same side of the old one. */
function isAnother({ level: old, side }: Crossing, level: number, spot: number): boolean {
  return old !== null && Math.abs(level / old - 1) >= CLEAR && (spot - old) * side > 0;
}

function isClear(ticks: number, level: number, spot: number): boolean {
  return ticks >= TICKS || Math.abs(spot / level - 1) >= CLEAR;
}
