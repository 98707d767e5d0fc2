/** Laws for how far delta may drift before it pays to trade. */
export const bandModels = ['whalley_wilmott', 'zakamouline'] as const;
export type BandModel = (typeof bandModels)[number];

export interface WidthInput {
  readonly model: BandModel;
  readonly spot: number;
  /** Net gamma of the book, shares per point of spot. */
  readonly gammaShares: number;
  /** Annual volatility, decimal; Zakamouline's law needs it. */
  readonly volatility: number;
  /** Years to the horizon of the hedge: 0 leaves the Whalley-Wilmott width undiscounted. */
  readonly years: number;
  /** Continuous rate per year, decimal. */
  readonly rate: number;
  /** Proportional cost of trading, share of the dollars traded. */
  readonly cost: number;
  /** Absolute risk aversion, per dollar. */
  readonly riskAversion: number;
}

export interface HedgingWidth {
  /** Half-width of the band of delta, shares. */
  readonly shares: number;
  /** Factor on every volatility at which delta is to be taken. */
  readonly volatilityFactor: number;
}

/** A correction that would leave less than this of the volatility is outside the law's range. */
const LEAST_FACTOR = 0.25;

/**
 * Half-width of the band within which delta is left alone.
 *
 * Whalley-Wilmott: H = (3/2·e^{−rτ}·λSΓ²/γ)^{1/3} around the Black-Scholes delta. Zakamouline: H₀ + H₁ around the delta at
 * σ√(1 + K) for a book long gamma and σ√(1 − K) for one short, K below zero: costs lower a buyer's volatility and raise a
 * seller's.
 *
 * @see A. E. Whalley and P. Wilmott, Mathematical Finance 7 (1997) 307-324
 * @see V. Zakamouline, "Efficient analytic approximation of the optimal hedging strategy for a European call option with
 * transaction costs", Quantitative Finance 6 (2006) 435-445
 */
export function hedgingWidth(input: WidthInput): HedgingWidth {
  const { model, spot, gammaShares, volatility, years, rate, cost, riskAversion } = input;
  const discount = Math.exp(-rate * years);
  const size = Math.abs(gammaShares);
  if (model === 'whalley_wilmott') {
    return { shares: Math.cbrt((1.5 * discount * cost * spot * size * size) / riskAversion), volatilityFactor: 1 };
  }
  const scale = (discount / volatility) ** 0.25;
  const h0 = cost / (riskAversion * spot * volatility * volatility * years);
  const h1 = 1.12 * cost ** 0.31 * years ** 0.05 * scale * Math.sqrt(size / riskAversion);
  const k = -4.76 * cost ** 0.78 * years ** -0.02 * scale * (riskAversion * spot * spot * size) ** 0.15;
  const factor = Math.sqrt(Math.max(1 + Math.sign(gammaShares) * k, LEAST_FACTOR ** 2));
  return { shares: h0 + h1, volatilityFactor: factor };
}
