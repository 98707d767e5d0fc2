import type { SkewStickiness } from './skew-stickiness-schema.ts';

/** One session: how volatility at the money and spot moved, and the skew before. */
export interface StickinessSample {
  /** Change of volatility at the money, decimal. */
  readonly volatilityChange: number;
  /** Log return of spot. */
  readonly logReturn: number;
  /** ∂σ/∂k at the money before the move, decimal. */
  readonly skew: number;
}

/** The prior: what studies find for indices, and how far from it a market may well be. */
const PRIOR = { mean: 1.5, sd: 0.5 } as const;
const MIN_SAMPLES = 5;

/**
 * The skew-stickiness ratio R by regression through the origin of Δσ_ATM on skew·ln(S'/S), whose slope it is, shrunk to
 * 1.5: the mean of the estimate and a prior N(1.5, 0.5²), weighted by precision. Samples that are not finite are left out;
 * under five, or without any move, the prior alone remains.
 *
 * @see L. Bergomi, Stochastic Volatility Modeling (2016), chapter 9: R = (1/𝒮)·E[dσ_ATM·d ln S]/E[(d ln S)²]
 */
export function skewStickiness(samples: readonly StickinessSample[]): SkewStickiness {
  let [xx, xy, yy, used] = [0, 0, 0, 0];
  for (const { volatilityChange: y, logReturn, skew } of samples) {
    const x = skew * logReturn;
    if (!(Number.isFinite(x) && Number.isFinite(y))) continue;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    used++;
  }
  const prior = { ssr: PRIOR.mean, raw: null, standard_error: null, weight: 0, observations: used };
  if (used < MIN_SAMPLES) return { status: 'too_few_observations', ...prior };
  if (!(xx > 0)) return { status: 'no_moves', ...prior };
  const raw = xy / xx;
  const noise = Math.max(yy - raw * xy, 0) / (used - 1);
  const variance = noise / xx;
  const weight = PRIOR.sd ** 2 / (PRIOR.sd ** 2 + variance);
  return {
    status: 'ok',
    ssr: weight * raw + (1 - weight) * PRIOR.mean,
    raw,
    standard_error: Math.sqrt(variance),
    weight,
    observations: used,
  };
}

/** Returns a ratio that the caller has set: nothing is estimated. */
export function fixedStickiness(ssr: number): SkewStickiness {
  return { status: 'given', ssr, raw: null, standard_error: null, weight: 0, observations: 0 };
}
