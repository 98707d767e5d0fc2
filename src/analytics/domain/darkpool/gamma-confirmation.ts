import { randomStream } from '#src/analytics/domain/statistics/random.ts';

export const gciDraws = 200;
/** With fewer nodes a shifted profile is hardly another one. */
export const gciLeastNodes = 10;

export interface GammaConfirmation {
  /** Cosine of the two smoothed profiles, 0 to 1. */
  readonly gci: number;
  /** Mean of the same over the shifted profiles. */
  readonly nullMean: number;
  /** Share of shifted profiles that agree as well, the observed one counted among them: 1/201 at the least. */
  readonly pValue: number;
}

export type GciStatus = 'ok' | 'no_prints' | 'no_gamma' | 'too_few_strikes';

/**
 * Gamma confirmation index: whether off-exchange volume sits at the prices where gamma sits. Both profiles are on the
 * same evenly spaced nodes and are smoothed by a Gaussian of one step; the null turns the volume round by 200 seeded
 * random shifts, which keep its shape and lose its place. Both profiles live near spot, so a small p-value says that
 * their places agree, not yet that they agree on more than where spot has been.
 */
export function gammaConfirmation(
  volume: Float64Array,
  gamma: Float64Array,
  seed: string,
): GammaConfirmation | Exclude<GciStatus, 'ok'> {
  if (volume.length < gciLeastNodes) return 'too_few_strikes';
  if (!volume.some((shares) => shares > 0)) return 'no_prints';
  if (!gamma.some((dollars) => dollars > 0)) return 'no_gamma';
  const [v, g] = [smooth(volume), smooth(gamma)];
  const gci = shiftedCosine(v, g, 0);
  const stream = randomStream(seed);
  let [sum, asGood] = [0, 0];
  for (let draw = 0; draw < gciDraws; draw++) {
    const shift = 1 + Math.floor(stream.uniform() * (v.length - 1));
    const value = shiftedCosine(v, g, shift);
    sum += value;
    // A shift that gives the same profile again is as good, whatever rounding says.
    if (value >= gci - 1e-12) asGood++;
  }
  return { gci, nullMean: sum / gciDraws, pValue: (1 + asGood) / (1 + gciDraws) };
}

/** Σv·g/√(Σv²·Σg²), with v turned round by `shift` nodes; neither may be all zero. */
export function shiftedCosine(v: Float64Array, g: Float64Array, shift: number): number {
  let [product, vv, gg] = [0, 0, 0];
  for (let i = 0; i < v.length; i++) {
    const turned = v[(i + shift) % v.length]!;
    product += turned * g[i]!;
    vv += turned * turned;
    gg += g[i]! * g[i]!;
  }
  // One square root each: the squares' product may overflow where neither does.
  return Math.min(product / (Math.sqrt(vv) * Math.sqrt(gg)), 1);
}

const KERNEL = [1, Math.exp(-0.5), Math.exp(-2), Math.exp(-4.5), Math.exp(-8)] as const;

/**
 * A Gaussian of one step, cut at four, its weights summing to one at the ends too: a droop there would make flat
 * profiles agree in their ends. Scaled by the largest value so that squares cannot overflow.
 */
function smooth(profile: Float64Array): Float64Array {
  const top = profile.reduce((most, value) => Math.max(most, value), 0);
  return profile.map((_, i) => {
    let [sum, weights] = [0, 0];
    for (let j = Math.max(0, i - 4); j <= Math.min(profile.length - 1, i + 4); j++) {
      const weight = KERNEL[Math.abs(i - j)]!;
      sum += (profile[j]! / top) * weight;
      weights += weight;
    }
    return sum / weights;
  });
}
