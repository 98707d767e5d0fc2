import { type EssviSlice, essviToRaw, essviTotalVariance } from './essvi.ts';
import { sviDerivatives } from './svi.ts';

/**
 * Checks whether a slice is free of butterfly arbitrage by the sufficient condition ψ(1 + |ρ|) ≤ 4 and ψ²(1 + |ρ|) ≤
 * 4θ.
 *
 * @see J. Gatheral and A. Jacquier (2014), theorem 4.2
 */
export function isButterflyFree({ theta, rho, psi }: EssviSlice): boolean {
  const lean = 1 + Math.abs(rho);
  return theta > 0 && psi > 0 && Math.abs(rho) < 1 && psi * lean <= 4 && psi * psi * lean <= 4 * theta;
}

/** The largest ψ that {@link isButterflyFree} allows at a θ and ρ. */
export function steepestPsi(theta: number, rho: number): number {
  const lean = 1 + Math.abs(rho);
  return Math.min(4 / lean, 2 * Math.sqrt(theta / lean));
}

/** Least ψ₂/ψ₁ at which neither wing of the later slice is flatter than that of the earlier. */
export function leastPsiRatio(rhoBefore: number, rhoAfter: number): number {
  return Math.max((1 + rhoBefore) / (1 + rhoAfter), (1 - rhoBefore) / (1 - rhoAfter));
}

/**
 * Checks whether total variance of the later slice is nowhere below that of the earlier, by the sufficient conditions
 * θ₂ ≥ θ₁, ψ₂/ψ₁ ≥ max((1 + ρ₁)/(1 + ρ₂), (1 − ρ₁)/(1 − ρ₂)), and φ₂ ≤ φ₁ or (ρ₁ − ΘΦρ₂)² ≤ (Θ − 1)(ΘΦ² − 1), where Θ =
 * θ₂/θ₁ and Φ = φ₂/φ₁. The last is the discriminant of w₁ = w₂, squared out: not positive where they do not cross.
 *
 * @see S. Hendriks and C. Martini (2019), section 3
 */
export function isCalendarFree(before: EssviSlice, after: EssviSlice): boolean {
  const rise = after.theta / before.theta;
  const ratio = after.psi / before.psi;
  if (!(rise >= 1 && ratio >= leastPsiRatio(before.rho, after.rho))) return false;
  const phi = ratio / rise;
  return phi <= 1 || (before.rho - ratio * after.rho) ** 2 <= (rise - 1) * (rise * phi * phi - 1);
}

const CELLS = 96;

/**
 * Least of w₂(k) − w₁(k) over all k: on a grid that is dense where either slice bends, at the minima between its points,
 * and in the limits far out. Above or at zero: no calendar spread is free.
 */
export function leastCalendarGap(before: EssviSlice, after: EssviSlice): number {
  let least = farGap(before, after);
  for (const slice of [before, after]) {
    const { m, sigma } = essviToRaw(slice);
    const reach = Math.asinh(100 + 10 / sigma);
    let previous = 0;
    let falling = false;
    for (let i = -CELLS; i <= CELLS; i++) {
      const k = m + sigma * Math.sinh((reach * i) / CELLS);
      least = Math.min(least, gap(before, after, k));
      const rising = gapSlope(before, after, k) > 0;
      if (falling && rising) least = Math.min(least, gap(before, after, bottom(before, after, [previous, k])));
      falling = !rising;
      previous = k;
    }
  }
  return least;
}

/** A difference within the rounding of what it is computed from counts as none: in a flat wing ½(θ + ρψk) all but cancels. */
const ROUNDING = 8 * Number.EPSILON;

function gap(before: EssviSlice, after: EssviSlice, k: number): number {
  const difference = essviTotalVariance(after, k) - essviTotalVariance(before, k);
  return Math.abs(difference) > ROUNDING * (after.theta + after.psi * Math.abs(k)) ? difference : 0;
}

function gapSlope(before: EssviSlice, after: EssviSlice, k: number): number {
  return sviDerivatives(essviToRaw(after), k).first - sviDerivatives(essviToRaw(before), k).first;
}

function bottom(before: EssviSlice, after: EssviSlice, [from, to]: readonly [number, number]): number {
  let low = from;
  let high = to;
  for (let i = 0; i < 40; i++) {
    const middle = 0.5 * (low + high);
    if (gapSlope(before, after, middle) > 0) high = middle;
    else low = middle;
  }
  return 0.5 * (low + high);
}

/** The gap far out: −∞ or ∞ by the slopes of the wings; where they are equal, what is left of ½(1 ± ρ)(θ ± ψk). */
function farGap(before: EssviSlice, after: EssviSlice): number {
  const sides = [1, -1].map((side) => {
    const flatter = before.psi * (1 + side * before.rho);
    const steeper = after.psi * (1 + side * after.rho);
    // Slopes that are equal but for rounding count as equal.
    if (Math.abs(steeper - flatter) > ROUNDING * after.psi) return steeper > flatter ? Infinity : -Infinity;
    const rise = (1 + side * after.rho) * after.theta - (1 + side * before.rho) * before.theta;
    return Math.abs(rise) > ROUNDING * after.theta ? 0.5 * rise : 0;
  });
  return Math.min(...sides);
}
