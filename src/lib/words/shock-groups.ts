import type { Shock, ShockGroup } from './shock.ts';
import type { ShockPart } from './shock-window.ts';

/** Underlyings and what happens to them, while a phrase is read. */
export interface Group {
  symbols: string[];
  own: string[];
  scenarios: Shock[];
  /** Indices of the tokens that name its symbols. */
  readonly places: number[];
}

const spotFields = ['spot_shock_pct', 'spot_points', 'spot_level'] as const;
const volFields = ['vol_shock_pct', 'vol_points'] as const;

/** Lets days pass with every shock, or with the last. */
export function setDays(groups: readonly Group[], days: number, isAll: boolean): void {
  for (const { scenarios } of groups) for (const shock of isAll ? scenarios : scenarios.slice(-1)) shock.days = days;
}

/** The group before, where it names underlyings that nothing happens to, and others than these. */
export function bareGroup(groups: readonly Group[], named: readonly string[]): Group | null {
  const last = groups.at(-1);
  const isBare = last !== undefined && last.scenarios.length === 0 && last.symbols.length > 0;
  return isBare && named.length > 0 && !named.every((symbol) => last.symbols.includes(symbol)) ? last : null;
}

/** The group that a segment adds to: a new one where it names other symbols after a shock. */
export function groupFor(groups: Group[], named: readonly string[], part: ShockPart | null): Group {
  const last = groups.at(-1);
  const isSame = last !== undefined && named.every((symbol) => last.symbols.includes(symbol));
  const isOpen =
    last !== undefined &&
    (last.scenarios.length === 0 || isSame || (last.symbols.length === 0 && (part === null || part.isVol)));
  if (last && isOpen) {
    last.symbols = [...new Set([...last.symbols, ...named])];
    return last;
  }
  const next: Group = { symbols: [...named], own: [], scenarios: [], places: [] };
  groups.push(next);
  return next;
}

/** Symbols that are named after the shocks without one of their own share them: "SPX down 5% and QQQ". */
export function mergeBare(groups: readonly Group[]): readonly ShockGroup[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const before = merged.at(-1);
    if (before && group.scenarios.length === 0) before.symbols = [...new Set([...before.symbols, ...group.symbols])];
    else merged.push(group);
  }
  return merged.filter(({ scenarios, symbols }) => scenarios.length > 0 || symbols.length > 0);
}

/** Puts a shock where it belongs. Answers why it cannot. */
export function addPart(group: Group, { fields, isVol }: ShockPart, link: string): string | null {
  const last = group.scenarios.at(-1);
  const isAlternative = link === 'or' || link === 'vs' || link === 'versus';
  if (!isVol) {
    const hasSpot = last !== undefined && spotFields.some((field) => last[field] !== undefined);
    if (last && !hasSpot && !isAlternative && fields.length === 1) Object.assign(last, fields[0]);
    else group.scenarios.push(...fields.map((field) => ({ ...field })));
    return null;
  }
  const spots = group.scenarios.filter((one) => spotFields.some((field) => one[field] !== undefined));
  const isTaken = last === undefined || isAlternative || volFields.some((field) => last[field] !== undefined);
  if (isTaken) {
    group.scenarios.push(...fields.map((field) => ({ ...field })));
    return null;
  }
  if (spots.length > 1 || fields.length > 1)
    return 'it could go with any of several shocks of spot: give each scenario on its own';
  Object.assign(last, fields[0]);
  return null;
}
