import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';

export interface HitQuestion {
  readonly spot: number;
  readonly barrier: number;
  /** Annual volatility, decimal. */
  readonly volatility: number;
  readonly years: number;
  /** Drift of ln(spot) towards the barrier, per year; 0 unless set. */
  readonly drift?: number;
}

/**
 * Probability that a geometric Brownian motion touches the barrier within the time, by reflection: 1 where it is on
 * it, 0 or 1 where nothing is random. Spot and barrier are above zero.
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 4 (one-touch)
 */
export function hitProbability({ spot, barrier, volatility, years, drift = 0 }: HitQuestion): number {
  const distance = Math.abs(Math.log(barrier / spot));
  if (distance === 0) return 1;
  const spread = volatility * Math.sqrt(Math.max(years, 0));
  if (!(spread > 0)) return drift * years >= distance ? 1 : 0;
  const travelled = drift * years;
  const reflected = scaledCdf((2 * drift * distance) / volatility ** 2, (-distance - travelled) / spread);
  return Math.min(normalCdf((travelled - distance) / spread) + reflected, 1);
}

export interface ExitQuestion {
  readonly spot: number;
  readonly lower: number;
  readonly upper: number;
  readonly volatility: number;
  readonly years: number;
}

/** Above this share of the width the Fourier series converges at once, under it the images do. */
const WIDE = 0.4;

/** Probability of leaving (lower, upper) within the time, through either side, without drift; 1 outside. */
export function exitProbability({ spot, lower, upper, volatility, years }: ExitQuestion): number {
  if (!(spot > lower && spot < upper)) return 1;
  const spread = volatility * Math.sqrt(Math.max(years, 0));
  if (!(spread > 0)) return 0;
  const below = Math.log(spot / lower);
  const width = Math.log(upper / lower);
  let stay = 0;
  if (spread > WIDE * width) {
    for (let n = 1; n < 20; n += 2) {
      const rate = (n * Math.PI * spread) / width;
      stay += (4 / (n * Math.PI)) * Math.sin((n * Math.PI * below) / width) * Math.exp(-0.5 * rate * rate);
    }
    return Math.min(Math.max(1 - stay, 0), 1);
  }
  // Images of both ends, alternating in sign: what leaves below, less what would have come back from above, and so on.
  let exit = 0;
  for (let k = 0; k < 8; k++) {
    const sign = k % 2 === 0 ? 2 : -2;
    exit += sign * normalCdf(-(below + k * width) / spread);
    exit += sign * normalCdf(-(width - below + k * width) / spread);
  }
  return Math.min(Math.max(exit, 0), 1);
}

export interface CashAtHit extends Omit<HitQuestion, 'drift'> {
  /** Continuous rate and yield per year, decimal. */
  readonly rate: number;
  readonly dividend: number;
  /** Paid at the moment the barrier is touched. */
  readonly cash: number;
}

/**
 * Value today of cash paid when the barrier is touched; at zero rate and drift, the probability times the cash.
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 4 (cash-at-hit, cases 1 and 2)
 */
export function cashAtHit({ spot, barrier, rate, dividend, volatility, years, cash }: CashAtHit): number {
  if (spot === barrier) return cash;
  const variance = volatility ** 2;
  const spread = volatility * Math.sqrt(years);
  const mu = (rate - dividend) / variance - 0.5;
  const lambda = Math.sqrt(Math.max(mu * mu + (2 * rate) / variance, 0));
  const gap = Math.log(barrier / spot);
  const side = spot > barrier ? 1 : -1;
  const z = side * (gap / spread + lambda * spread);
  return cash * (scaledCdf((mu + lambda) * gap, z) + scaledCdf((mu - lambda) * gap, z - 2 * side * lambda * spread));
}

/** e^c·Φ(x) where either factor alone would overflow or vanish. */
function scaledCdf(c: number, x: number): number {
  if (x >= 0) return Math.exp(c) * normalCdf(x);
  return 0.5 * Math.exp(c - 0.5 * x * x) * erfcx(-x * Math.SQRT1_2);
}
