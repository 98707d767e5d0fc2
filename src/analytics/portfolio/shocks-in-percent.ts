import type { StressWish } from '#queues/analytics.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { AppError } from '#src/lib/errors.ts';

/** Spot and volatility that points and levels were turned into percent with. */
export interface Converted {
  readonly symbol: string;
  /** Of the chain that is stressed, ISO 8601. */
  readonly as_of: string;
  readonly spot: number;
  /** At the money for 30 days, decimal; null where the chain has none. */
  readonly atm_volatility: number | null;
  readonly synthetic: boolean;
}

/** Whether a shock can only be run once spot and volatility are known. */
export function isInPoints({ spot_points, spot_level, vol_points }: StressWish): boolean {
  return spot_points !== undefined || spot_level !== undefined || vol_points !== undefined;
}

/**
 * A shock with every size in percent: points and levels of spot by the spot of the chain, vol points by its volatility at
 * the money for 30 days.
 *
 * @throws AppError `invalid_payload` for a level on the other side of spot, one size given twice, a shock outside −100 to
 *   1000 %, or vol points where the chain has no volatility.
 */
export function inPercent(
  wish: StressWish,
  { symbol, spot, levels }: Pick<ChainAnalytics, 'symbol' | 'spot' | 'levels'>,
): StressScenario {
  const { spot_points, spot_level, spot_side, vol_points, ...scenario } = wish;
  const sizes = [scenario.spot_shock_pct, spot_points, spot_level].filter((size) => size !== undefined);
  if (sizes.length > 1) throw wrong('one of spot_shock_pct, spot_points and spot_level', `${sizes.length}`);
  if (scenario.vol_shock_pct !== undefined && vol_points !== undefined)
    throw wrong('one of vol_shock_pct and vol_points', 'both');
  const move = spot_points ?? (spot_level === undefined ? undefined : spot_level - spot);
  if (
    spot_level !== undefined &&
    spot_side !== undefined &&
    Math.sign(spot_level - spot) !== (spot_side === 'down' ? -1 : 1)
  )
    throw wrong(
      `a level ${spot_side === 'down' ? 'below' : 'above'} the spot of ${symbol}, which is ${spot}`,
      `${spot_level}`,
    );
  const atm = levels.atm_volatility;
  if (vol_points !== undefined && atm === null)
    throw wrong(`a volatility of ${symbol} at the money, to turn vol points into percent`, 'none');
  return {
    ...scenario,
    ...(move !== undefined && { spot_shock_pct: inRange((100 * move) / spot, `spot of ${symbol}`) }),
    ...(vol_points !== undefined &&
      atm !== null && { vol_shock_pct: inRange(vol_points / atm, `volatility of ${symbol}`) }),
  };
}

function inRange(percent: number, what: string): number {
  if (percent > -100 && percent <= 1_000) return percent;
  throw wrong(`a shock of the ${what} above −100 and up to 1000 %`, `${percent.toFixed(2)} %`);
}

function wrong(expected: string, got: string): AppError {
  return new AppError('invalid_payload', `expected ${expected}, got ${got}.`);
}
