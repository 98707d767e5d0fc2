import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { normalCdf, normalPdf } from '#src/analytics/domain/numerics/normal.ts';
import type { Greeks } from './black-scholes.ts';

/** An option on a forward that moves by points, not by percent; forward and strike may have any sign. */
export interface BachelierForward {
  readonly isCall: boolean;
  readonly forward: number;
  readonly strike: number;
  /** Standard deviation of the forward at expiry in its own unit, σ_N√T, zero or above. */
  readonly deviation: number;
  /** Discount factor to expiry. */
  readonly discount: number;
}

/**
 * Bachelier's price in the unit of the forward: D·(w(F − K)·Φ(wd) + σ_N√T·φ(d)) with d = (F − K)/(σ_N√T). At zero
 * deviation, discounted intrinsic value.
 *
 * @see L. Bachelier, Théorie de la spéculation (1900)
 */
export function bachelierPrice({ isCall, forward, strike, deviation, discount }: BachelierForward): number {
  const w = isCall ? 1 : -1;
  const moneyness = w * (forward - strike);
  if (deviation === 0) return discount * Math.max(moneyness, 0);
  // Intrinsic value and ν·(φ(d) − |d|·Φ(−|d|)), with φ taken out: far from the money the two would cancel.
  const d = Math.abs(moneyness / deviation);
  const timeValue = deviation * normalPdf(d) * (1 - d * SQRT_HALF_PI * erfcx(d * Math.SQRT1_2));
  return discount * (Math.max(moneyness, 0) + Math.max(timeValue, 0));
}

const SQRT_HALF_PI = 1.2533141373155003;

/** An option on an underlying whose forward moves by points. */
export interface BachelierOption {
  readonly isCall: boolean;
  /** Price of the underlying now, in dollars or index points, not zero. */
  readonly spot: number;
  readonly strike: number;
  /** Time to expiry, in years (ACT/365), above zero. */
  readonly years: number;
  /** Points per square root of a year, above zero. */
  readonly normalVolatility: number;
  /** Continuous interest rate, as a decimal per year. */
  readonly rate: number;
  /** Continuous dividend yield, as a decimal per year. */
  readonly dividend: number;
}

/**
 * Price and all Greeks in the conventions of {@link Greeks}, except that volatility is in points: vega, vanna, volga,
 * zomma and ultima are per point of normal volatility. It is held fixed where spot or time move.
 */
export function bachelierGreeks(option: BachelierOption): Greeks {
  const { isCall, spot, strike, years, normalVolatility, rate, dividend } = option;
  const w = isCall ? 1 : -1;
  const root = Math.sqrt(years);
  const deviation = normalVolatility * root;
  const growth = Math.exp((rate - dividend) * years);
  const discount = Math.exp(-rate * years);
  const carry = growth * discount;
  const forward = spot * growth;
  const d = (forward - strike) / deviation;
  const inside = w * normalCdf(w * d);
  const density = discount * normalPdf(d);
  const price = bachelierPrice({ isCall, forward, strike, deviation, discount });
  const gamma = (density * growth * growth) / deviation;
  const vega = density * root;
  const drift = ((rate - dividend) * forward) / deviation - d / (2 * years); // ∂d/∂T
  return {
    price,
    delta: carry * inside,
    gamma,
    vega,
    theta:
      (dividend * spot * carry - rate * strike * discount) * inside + density * deviation * (rate - 1 / (2 * years)),
    vanna: (-density * growth * d) / normalVolatility,
    charm: dividend * carry * inside - density * growth * drift,
    volga: (vega * d * d) / normalVolatility,
    speed: (-gamma * growth * d) / deviation,
    zomma: (gamma * (d * d - 1)) / normalVolatility,
    color: gamma * (2 * dividend - rate + d * drift + 0.5 / years),
    ultima: (vega * d * d * (d * d - 3)) / (normalVolatility * normalVolatility),
    rho: years * (strike * discount * inside - density * deviation),
    dividendRho: -years * spot * carry * inside,
  };
}
