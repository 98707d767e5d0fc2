import type { StressWish } from '#queues/analytics.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { AppError } from '#src/lib/errors.ts';

/** The spot that points and levels were turned into percent with. */
export interface Converted {
  readonly symbol: string;
  /** Time of the chain that is stressed, ISO 8601. */
  readonly as_of: string;
  readonly spot: number;
  readonly synthetic: boolean;
}

/**
 * A shock with its size of spot in percent: points and levels by the spot of the chain.
 *
 * @throws AppError `invalid_payload` for a level on the other side of spot, one size given twice, or a shock outside −100 to
 *   1000 %.
 */
export function inPercent(wish: StressWish, { symbol, spot }: Pick<ChainAnalytics, 'symbol' | 'spot'>): StressScenario {
  const { spot_points, spot_level, spot_side, ...scenario } = wish;
  const sizes = [scenario.spot_shock_pct, spot_points, spot_level].filter((size) => size !== undefined);
  if (sizes.length > 1) throw wrong('one of spot_shock_pct, spot_points and spot_level', `${sizes.length}`);
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
  return {
    ...scenario,
    ...(move !== undefined && { spot_shock_pct: inRange((100 * move) / spot, `spot of ${symbol}`) }),
  };
}

function inRange(percent: number, what: string): number {
  if (percent > -100 && percent <= 1_000) return percent;
  throw wrong(`a shock of the ${what} above −100 and up to 1000 %`, `${percent.toFixed(2)} %`);
}

function wrong(expected: string, got: string): AppError {
  return new AppError('invalid_payload', `expected ${expected}, got ${got}.`);
}
