/** Shocks that happen together. A move in points or to a level of spot becomes percent once spot is known. */
export interface Shock {
  /** Change of spot, percent. */
  spot_shock_pct?: number;
  /** Change of spot, points. */
  spot_points?: number;
  /** Spot after the shock, points. */
  spot_level?: number;
  /** Side of the current spot on which the level must lie. */
  spot_side?: 'down' | 'up';
  /** Relative change of every volatility, percent. */
  vol_shock_pct?: number;
  /** Points added to every volatility. */
  vol_points?: number;
  /** Calendar days that pass. */
  days?: number;
}

/** The shocks of some underlyings. */
export interface ShockGroup {
  /** Symbols that are named with the shocks; none where the phrase names none. */
  readonly symbols: readonly string[];
  /** Symbols among them that occur in the words of a shock itself. */
  readonly own: readonly string[];
  readonly scenarios: readonly Shock[];
}

/** Words that look like a shock and cannot be run, by their places among the tokens. */
export interface Unread {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
  /** The reason, to follow the words. */
  readonly why: string;
}

/** Checks whether a shock becomes a percentage only beside a spot. */
export function isInPoints({ spot_points, spot_level }: Pick<Shock, 'spot_points' | 'spot_level'>): boolean {
  return spot_points !== undefined || spot_level !== undefined;
}
