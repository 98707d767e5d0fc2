import { bivariateNormal } from '#src/analytics/domain/numerics/bivariate-normal.ts';
import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { bsmPrice, type EuropeanOption } from './black-scholes.ts';

/** The first of the two flat boundaries holds for this part of the time: the golden section. */
const SPLIT = 0.5 * (Math.sqrt(5) - 1);
const same = bivariateNormal(Math.sqrt(SPLIT));
const opposite = bivariateNormal(-Math.sqrt(SPLIT));

/**
 * Bjerksund and Stensland's approximation of an American price, in the unit of spot: a lower bound, since it is the
 * value of exercising at a boundary of two flat steps; a few thousandths under the true price. Good for telling where
 * early exercise matters. NaN where its powers overflow, at very low volatilities and large rates.
 *
 * @see P. Bjerksund, G. Stensland, "Closed Form Valuation of American Options" (2002); Haug, section 3.2
 */
export function bjerksundStensland(option: EuropeanOption): number {
  const { isCall, spot, strike, rate, dividend, years, volatility } = option;
  const european = bsmPrice(option);
  // A put is the call of the mirrored market: spot for strike, dividend for rate.
  const call = isCall
    ? twoStepCall({ spot, strike, rate, carry: rate - dividend, years, volatility })
    : twoStepCall({ spot: strike, strike: spot, rate: dividend, carry: dividend - rate, years, volatility });
  return call === null ? european : Math.max(call, european);
}

interface Call {
  readonly spot: number;
  readonly strike: number;
  readonly rate: number;
  /** Cost of carry, rate less dividend. */
  readonly carry: number;
  readonly years: number;
  readonly volatility: number;
}

/** Null where a call is never exercised early. */
function twoStepCall(call: Call): number | null {
  const { spot, strike, rate, carry, years, volatility } = call;
  if (carry >= rate) return null;
  const variance = volatility * volatility;
  const tilt = carry / variance - 0.5;
  const power = -tilt + Math.sqrt(tilt * tilt + (2 * rate) / variance);
  if (!(power > 1)) return null;
  const perpetual = (power / (power - 1)) * strike;
  const first = Math.max(strike, (rate / (rate - carry)) * strike);
  const early = SPLIT * years;
  const boundary = (time: number): number => {
    const reach = carry * time + 2 * volatility * Math.sqrt(time);
    return first + (perpetual - first) * (1 - Math.exp((-reach * strike * strike) / ((perpetual - first) * first)));
  };
  const low = boundary(early);
  const high = boundary(years);
  if (spot >= high) return spot - strike;
  const market = { rate, carry, variance };
  const steps = { early, years, low, high };
  // α·S^β with the boundary taken into the power, which by itself would overflow.
  const reach = (level: number): number => (level - strike) * (spot / level) ** power;
  const one = (gamma: number, level: number): number => knocked(market, { spot, time: early, level, high, gamma });
  const two = (gamma: number, level: number): number => knockedTwice(market, { spot, level, gamma }, steps);
  return (
    reach(high) * (1 - one(power, high)) +
    spot * (one(1, high) - one(1, low)) -
    strike * (one(0, high) - one(0, low)) +
    reach(low) * (one(power, low) - two(power, low)) +
    spot * (two(1, low) - two(1, strike)) -
    strike * (two(0, low) - two(0, strike))
  );
}

interface Market {
  readonly rate: number;
  readonly carry: number;
  readonly variance: number;
}

interface Payoff {
  readonly spot: number;
  /** Paid if the spot is at or below this in the end. */
  readonly level: number;
  /** Power of the spot that is paid, here over its value today. */
  readonly gamma: number;
}

interface Once extends Payoff {
  readonly time: number;
  /** Worthless once this is reached. */
  readonly high: number;
}

/** φ of the source, over S^γ. */
function knocked(market: Market, { spot, time, level, high, gamma }: Once): number {
  const { growth, lean, kappa } = powersOf(market, gamma);
  const s = Math.sqrt(market.variance * time);
  const d1 = (Math.log(spot / level) + lean * time) / s;
  const d2 = (Math.log((high * high) / (spot * level)) + lean * time) / s;
  return Math.exp(growth * time) * (normalCdf(-d1) - (high / spot) ** kappa * normalCdf(-d2));
}

interface Steps {
  readonly early: number;
  readonly years: number;
  readonly low: number;
  readonly high: number;
}

/** Ψ of the source, over S^γ: worthless once `high` is reached before `early`, or `low` after it. */
function knockedTwice(market: Market, { spot, level, gamma }: Payoff, { early, years, low, high }: Steps): number {
  const { growth, lean, kappa } = powersOf(market, gamma);
  const s1 = Math.sqrt(market.variance * early);
  const s2 = Math.sqrt(market.variance * years);
  const direct = Math.log(spot / low);
  const mirrored = Math.log((high * high) / (spot * low));
  const [drift1, drift2] = [lean * early, lean * years];
  const f1 = (Math.log(spot / level) + drift2) / s2;
  const f2 = (Math.log((high * high) / (spot * level)) + drift2) / s2;
  const f3 = (Math.log((low * low) / (spot * level)) + drift2) / s2;
  const f4 = (Math.log((spot * low * low) / (level * high * high)) + drift2) / s2;
  return (
    Math.exp(growth * years) *
    (same((-direct - drift1) / s1, -f1) -
      (high / spot) ** kappa * same((-mirrored - drift1) / s1, -f2) -
      (low / spot) ** kappa * opposite((-direct + drift1) / s1, -f3) +
      (low / high) ** kappa * opposite((-mirrored + drift1) / s1, -f4))
  );
}

function powersOf({ rate, carry, variance }: Market, gamma: number) {
  return {
    growth: -rate + gamma * carry + 0.5 * gamma * (gamma - 1) * variance,
    lean: carry + (gamma - 0.5) * variance,
    kappa: (2 * carry) / variance + 2 * gamma - 1,
  };
}
