import type { BookRows } from '#src/analytics/domain/book/book-rows.ts';
import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { normalDelta } from '#src/analytics/domain/pricing/normal-row.ts';
import { normalWeight } from '#src/analytics/domain/pricing/price-blend.ts';
import { VOLATILITY_FLOOR } from './smile-dynamics.ts';

/** Market state at which a book is repriced. */
export interface RepriceAt {
  readonly spot: number;
  /** Years that have passed; 0 unless set. */
  readonly elapsed?: number;
  /** Absolute move of volatility by expiry, decimal; none unless set. */
  readonly moves?: Float64Array;
}

/** Under three hundredths of a second, the rounding of instants, a contract has settled. */
export const SETTLED = 1e-9;
/** Beyond nine deviations Φ is 0 or 1 to 1e-19. */
const REACH = 9;

/**
 * Delta of the book by expiry in shares, fully repriced. A contract that has settled keeps the delta of its intrinsic
 * value at that spot: all or nothing, and half at the strike.
 */
export function deltaByExpiry(rows: BookRows, { spot, elapsed = 0, moves }: RepriceAt): Float64Array {
  const { count, logStrike, volatility, net, expiry, puts, blended, years, rate, dividend } = rows;
  const left = years.map((all) => (all - elapsed > SETTLED ? all - elapsed : 0));
  const root = left.map(Math.sqrt);
  const level = left.map((time, e) => Math.log(spot) + (rate[e]! - dividend[e]!) * time);
  const sums = new Float64Array(years.length);
  for (let i = 0; i < count; i++) {
    const e = expiry[i]!;
    const gap = level[e]! - logStrike[i]!;
    if (root[e] === 0) {
      if (Math.abs(gap) < 1e-14) sums[e]! += 0.5 * net[i]!;
      else if (gap > 0) sums[e]! += net[i]!;
      continue;
    }
    const still = volatility[i]!;
    const sigma = moves ? Math.max(still + moves[e]!, VOLATILITY_FLOOR * still) : still;
    const deviation = sigma * root[e]!;
    const d = gap / deviation + 0.5 * deviation;
    if (d < -REACH) continue;
    if (d > REACH) {
      sums[e]! += net[i]!;
      continue;
    }
    const normal = blended ? normalWeight(left[e]!, deviation) : 0;
    if (normal > 0) sums[e]! += normal * net[i]! * normalDelta(gap, deviation);
    if (normal === 1) continue;
    const tail = 0.5 * Math.exp(-0.5 * d * d) * erfcx(Math.abs(d) * Math.SQRT1_2);
    sums[e]! += (1 - normal) * net[i]! * (d > 0 ? 1 - tail : tail);
  }
  return sums.map((sum, e) => Math.exp(-dividend[e]! * left[e]!) * (sum - puts[e]!));
}

/** The same over all expiries, in shares. */
export function deltaShares(rows: BookRows, at: RepriceAt): number {
  return deltaByExpiry(rows, at).reduce((sum, shares) => sum + shares, 0);
}
