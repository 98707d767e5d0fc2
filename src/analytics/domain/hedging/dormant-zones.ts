import { type GammaTerms, gammaAt } from '#src/analytics/domain/levels/gamma-terms.ts';
import { brent } from '#src/analytics/domain/numerics/brent.ts';

export interface ZoneSearch {
  readonly terms: GammaTerms;
  /** Ascending spots with net gamma there, $ per +1 % spot. */
  readonly points: Float64Array;
  readonly values: Float64Array;
  /** The band that is hedged now; null where it is open, and then there is nothing outside on that side. */
  readonly lower: number | null;
  readonly upper: number | null;
}

export interface Zone {
  readonly lower: number;
  readonly upper: number;
  /** Spot at which |G| is largest. */
  readonly peak: number;
  /** Net gamma there, $ per +1 % spot. */
  readonly gex: number;
}

/** Gamma counts as asleep, and worth waking, from this part of the largest. */
const SHARE = 0.5;

/** Maximal intervals of one sign outside the band where |G| is at least half of its largest value, ascending. */
export function dormantZones({ terms, points, values, lower, upper }: ZoneSearch): Zone[] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!(largest > 0)) return [];
  const f = (level: number): number => gammaAt(terms, level);
  const rows = Array.from(points, (level, j) => ({ level, value: values[j]! }));
  const edge = (level: number) => ({ level, value: f(level) });
  const below = lower === null ? [] : [...rows.filter(({ level }) => level < lower), edge(lower)];
  const above = upper === null ? [] : [edge(upper), ...rows.filter(({ level }) => level > upper)];
  return [below, above].flatMap((side) => zonesOf(side, f, SHARE * largest));
}

interface Point {
  readonly level: number;
  readonly value: number;
}

function zonesOf(side: readonly Point[], f: (level: number) => number, least: number): Zone[] {
  const signOf = ({ value }: Point): number => (Math.abs(value) >= least ? Math.sign(value) : 0);
  const zones: Zone[] = [];
  for (let first = 0; first < side.length; ) {
    const sign = signOf(side[first]!);
    let last = first;
    while (last + 1 < side.length && signOf(side[last + 1]!) === sign) last++;
    if (sign !== 0) {
      const run = side.slice(first, last + 1);
      const peak = run.reduce((best, point) => (Math.abs(point.value) > Math.abs(best.value) ? point : best));
      const end = (inside: Point, outside: Point | undefined): number => {
        if (!outside) return inside.level;
        const found = brent((level) => sign * f(level) - least, inside.level, outside.level, 1e-9 * inside.level);
        return found.status === 'ok' ? found.root : inside.level;
      };
      const bounds = { lower: end(run[0]!, side[first - 1]), upper: end(run.at(-1)!, side[last + 1]) };
      if (bounds.upper > bounds.lower) zones.push({ ...bounds, peak: peak.level, gex: peak.value });
    }
    first = last + 1;
  }
  return zones;
}
