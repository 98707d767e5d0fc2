import { normalCdf, normalPdf } from '#src/analytics/domain/numerics/normal.ts';

/** A European option on an underlying with a continuous dividend yield. */
export interface EuropeanOption {
  readonly isCall: boolean;
  /** Price of the underlying now, in dollars or index points. */
  readonly spot: number;
  readonly strike: number;
  /** Time to expiry, in years (ACT/365). */
  readonly years: number;
  /** Volatility per square root of a year, as a decimal. */
  readonly volatility: number;
  /** Continuous interest rate, as a decimal per year. */
  readonly rate: number;
  /** Continuous dividend yield, as a decimal per year. */
  readonly dividend: number;
}

/** Value and sensitivities: per 1.00 of spot, per 1.00 of volatility, per year of calendar time passing. */
export interface Greeks {
  readonly price: number;
  readonly delta: number;
  readonly gamma: number;
  readonly vega: number;
  readonly theta: number;
  /** ∂delta/∂volatility. */
  readonly vanna: number;
  /** ∂delta/∂t = −∂delta/∂T. */
  readonly charm: number;
  /** ∂vega/∂volatility. */
  readonly volga: number;
  /** ∂gamma/∂spot. */
  readonly speed: number;
  /** ∂gamma/∂volatility. */
  readonly zomma: number;
  /** ∂gamma/∂t = −∂gamma/∂T. */
  readonly color: number;
  /** ∂volga/∂volatility. */
  readonly ultima: number;
  /** ∂price/∂rate. */
  readonly rho: number;
  /** ∂price/∂dividend. */
  readonly dividendRho: number;
}

/**
 * Black-Scholes-Merton price in the unit of spot. NaN unless spot, strike, years and volatility are above zero.
 *
 * @see J. Hull, Options, Futures, and Other Derivatives, "The Black-Scholes-Merton model"
 */
export function bsmPrice(option: EuropeanOption): number {
  const { isCall, spot, strike, years, volatility, rate, dividend } = option;
  const discount = Math.exp(-rate * years);
  const forward = spot * Math.exp((rate - dividend) * years);
  return black76Price({ isCall, forward, strike, deviation: volatility * Math.sqrt(years), discount });
}

/**
 * Price and all Greeks in closed form. NaN unless spot, strike, years and volatility are above zero.
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 2
 */
export function bsmGreeks(option: EuropeanOption): Greeks {
  const { isCall, spot, strike, years, volatility, rate, dividend } = option;
  const w = isCall ? 1 : -1;
  const root = Math.sqrt(years);
  const deviation = volatility * root;
  const d1 = (Math.log(spot / strike) + (rate - dividend) * years) / deviation + 0.5 * deviation;
  const d2 = d1 - deviation;
  const carry = Math.exp(-dividend * years);
  const discount = Math.exp(-rate * years);
  const density = carry * normalPdf(d1);
  const n1 = normalCdf(w * d1);
  const n2 = normalCdf(w * d2);
  const gamma = density / (spot * deviation);
  const vega = spot * density * root;
  const drift = (2 * (rate - dividend) * years - d2 * deviation) / (2 * years * deviation); // ∂d1/∂T
  return {
    price: bsmPrice(option),
    delta: w * carry * n1,
    gamma,
    vega,
    theta:
      -0.5 * spot * spot * gamma * volatility * volatility +
      w * (dividend * spot * carry * n1 - rate * strike * discount * n2),
    vanna: (-density * d2) / volatility,
    charm: w * dividend * carry * n1 - density * drift,
    volga: (vega * d1 * d2) / volatility,
    speed: (-gamma / spot) * (d1 / deviation + 1),
    zomma: (gamma * (d1 * d2 - 1)) / volatility,
    color: gamma * (dividend + d1 * drift + 0.5 / years),
    ultima: (-vega / (volatility * volatility)) * (d1 * d2 * (1 - d1 * d2) + d1 * d1 + d2 * d2),
    rho: w * strike * years * discount * n2,
    dividendRho: -w * spot * years * carry * n1,
  };
}

export interface Black76Option {
  readonly isCall: boolean;
  readonly forward: number;
  readonly strike: number;
  /** Standard deviation of the log price at expiry, σ√T. */
  readonly deviation: number;
  /** Discount factor to expiry. */
  readonly discount: number;
}

/** Black's price of an option on a forward, in the unit of the forward. At zero deviation, discounted intrinsic value. */
export function black76Price(option: Black76Option): number {
  const { isCall, forward, strike, deviation, discount } = option;
  const w = isCall ? 1 : -1;
  if (deviation === 0) return discount * Math.max(w * (forward - strike), 0);
  const d1 = Math.log(forward / strike) / deviation + 0.5 * deviation;
  return w * discount * (forward * normalCdf(w * d1) - strike * normalCdf(w * (d1 - deviation)));
}
