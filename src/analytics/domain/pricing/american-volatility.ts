import type { ExerciseTable } from './exercise-table.ts';
import { impliedVolatility, type NoVolatility } from './implied-volatility.ts';

const LOWEST = 1e-3;
const HIGHEST = 10;
const MAX_STEPS = 60;

/**
 * Volatility of an American price, in the unit of spot: with it European prices and Greeks are the option's own
 * without the right of early exercise. Secant steps inside a bracket, from the European volatility of the price, which
 * is never lower. A price at or under intrinsic value has none: such an option is exercised, not held.
 */
export function americanVolatility(table: ExerciseTable, strike: number, price: number): number | NoVolatility {
  const { isCall, spot, years } = table.market;
  if (!(Number.isFinite(price) && strike > 0 && strike < Infinity)) return 'not_finite';
  if (!(years > 0)) return 'expired';
  if (price >= (isCall ? spot : strike)) return 'at_or_above_bound';
  const scale = Math.max(spot, strike);
  const intrinsic = Math.max(isCall ? spot - strike : strike - spot, 0);
  if (!(price - intrinsic > 1e-13 * scale)) return 'at_or_below_intrinsic';
  const european = europeanVolatility(table, strike, price);
  if (typeof european === 'string' && european !== 'at_or_above_bound') return european;
  let high = typeof european === 'string' || !(european < HIGHEST) ? HIGHEST : european * (1 + 1e-12);
  let low = LOWEST;
  let sigma = high === HIGHEST ? 0.5 : high;
  let gap = table.american(strike, sigma) - price;
  let step = -gap / table.vega(strike, sigma);
  for (let round = 0; round < MAX_STEPS && Math.abs(gap) > 1e-12 * scale; round++) {
    if (gap > 0) high = Math.min(high, sigma);
    else low = Math.max(low, sigma);
    const next = sigma + step > low && sigma + step < high ? sigma + step : Math.sqrt(low * high);
    if (Math.abs(next - sigma) < 1e-11 * sigma) break;
    const gapNext = table.american(strike, next) - price;
    step = (-gapNext * (next - sigma)) / (gapNext - gap);
    gap = gapNext;
    sigma = next;
  }
  if (sigma > 0.99 * HIGHEST) return 'at_or_above_bound';
  return sigma < 1.01 * LOWEST ? 'at_or_below_intrinsic' : sigma;
}

/** The volatility a European option of this price had: the highest the American one can have. */
export function europeanVolatility(table: ExerciseTable, strike: number, price: number): number | NoVolatility {
  const { forward, discount, market } = table;
  const european = { forward, strike, years: market.years, isCall: market.isCall, price: price / discount };
  return impliedVolatility(european);
}
