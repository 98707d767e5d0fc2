import type { EssviSlice } from './essvi.ts';
import { leastPsiRatio, steepestPsi } from './essvi-arbitrage.ts';

/*
 * The map from free numbers to arbitrage-free surfaces. Slice i has three: ρᵢ = tanh x₀, aᵢ = e^{x₁} and cᵢ, the logistic
 * function of x₂. With pᵢ = max((1 + ρᵢ₋₁)/(1 + ρᵢ), (1 − ρᵢ₋₁)/(1 − ρᵢ)),
 *
 *   θᵢ = pᵢθᵢ₋₁ + aᵢ, and ψᵢ = Aᵢ + cᵢ(Cᵢ − Aᵢ) with Aᵢ = pᵢψᵢ₋₁, Cᵢ = min(ψᵢ₋₁θᵢ/θᵢ₋₁, Fᵢ),
 *
 * where Fᵢ = min(fᵢ, Fᵢ₊₁/pᵢ₊₁) looks ahead, so that every later slice still finds a ψ below its own butterfly bound
 * f = min(4/(1 + |ρ|), 2√(θ/(1 + |ρ|))).
 *
 * See A. Mingone, "No arbitrage global parametrization for the eSSVI volatility surface", Quantitative Finance 22 (2022).
 */

/** Free numbers per slice. */
export const FREE = 3;
/** Bound of the free numbers: at the ends a slice touches its bounds to a part in 10⁵, and never exceeds them. */
const EDGE = 12;
const LEAST_RISE = -40;
const MOST_LEAN = 4;

/** The surface of any finite numbers, three per slice: free of butterfly and of calendar arbitrage. */
export function mingoneSlices(free: Float64Array): EssviSlice[] {
  const count = free.length / FREE;
  const slices = Array.from({ length: count }, (_, i) => ({ rho: rhoOf(free[i * FREE]!), theta: 0, psi: 0 }));
  const ratios = slices.map(({ rho }, i) => (i === 0 ? 1 : leastPsiRatio(slices[i - 1]!.rho, rho)));
  for (const [i, slice] of slices.entries()) {
    slice.theta = ratios[i]! * (slices[i - 1]?.theta ?? 0) + riseOf(free[i * FREE + 1]!);
  }
  const limits = lookAhead(slices, ratios);
  for (const [i, slice] of slices.entries()) {
    const before = slices[i - 1];
    const least = before ? ratios[i]! * before.psi : 0;
    const most = before ? Math.min((before.psi * slice.theta) / before.theta, limits[i]!) : limits[i]!;
    slice.psi = least + shareOf(free[i * FREE + 2]!) * Math.max(most - least, 0);
  }
  return slices;
}

/** The free numbers of an arbitrage-free surface with falling φ, moved into the open range where it touches a bound. */
export function mingoneFree(slices: readonly EssviSlice[]): Float64Array {
  const free = new Float64Array(slices.length * FREE);
  const ratios = slices.map(({ rho }, i) => (i === 0 ? 1 : leastPsiRatio(slices[i - 1]!.rho, rho)));
  const limits = lookAhead(slices, ratios);
  for (const [i, { theta, rho, psi }] of slices.entries()) {
    const before = slices[i - 1];
    const rise = before ? theta - ratios[i]! * before.theta : theta;
    const least = before ? ratios[i]! * before.psi : 0;
    const most = before ? Math.min((before.psi * theta) / before.theta, limits[i]!) : limits[i]!;
    const share = Math.min(Math.max((psi - least) / (most - least), 0.02), 0.98);
    free[i * FREE] = Math.atanh(rho);
    free[i * FREE + 1] = Math.log(Math.max(rise, 1e-3 * theta));
    free[i * FREE + 2] = share > 0 ? Math.log(share / (1 - share)) : 0;
  }
  return free;
}

export function rhoOf(x: number): number {
  return Math.tanh(Math.min(Math.max(x, -MOST_LEAN), MOST_LEAN));
}

export function riseOf(x: number): number {
  return Math.exp(Math.min(Math.max(x, LEAST_RISE), 3));
}

export function shareOf(x: number): number {
  return 1 / (1 + Math.exp(-Math.min(Math.max(x, -EDGE), EDGE)));
}

/** Fᵢ: the largest ψ of each slice that leaves every later one a ψ. */
function lookAhead(slices: readonly EssviSlice[], ratios: readonly number[]): Float64Array {
  const limits = new Float64Array(slices.length);
  for (let i = slices.length - 1; i >= 0; i--) {
    const own = steepestPsi(slices[i]!.theta, slices[i]!.rho);
    limits[i] = i + 1 < slices.length ? Math.min(own, limits[i + 1]! / ratios[i + 1]!) : own;
  }
  return limits;
}
