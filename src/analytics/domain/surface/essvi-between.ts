import type { EssviSlice } from './essvi.ts';
import { steepestPsi } from './essvi-arbitrage.ts';

/** A slice of the surface and the time it belongs to. */
export interface TimedSlice extends EssviSlice {
  /** ACT/365 years to settlement, above 0. */
  readonly years: number;
}

/**
 * The slice at any time above zero of a surface given by slices of ascending years, of which there must be one.
 *
 * Between two slices θ is linear in time, and ψ and ρψ linear in θ, which keeps both kinds of arbitrage out. Before the
 * first all three shrink in proportion to time, so that each k keeps its volatility; so they grow after the last, but for
 * ψ, which stops where butterfly arbitrage would begin.
 *
 * @see J. Corbetta, P. Cohort, I. Laachir and C. Martini, "Robust calibration and arbitrage-free interpolation of SSVI
 *   slices", Decisions in Economics and Finance 42 (2019)
 */
export function essviAt(slices: readonly TimedSlice[], years: number): EssviSlice {
  const next = slices.findIndex((slice) => slice.years >= years);
  const first = slices[0]!;
  if (next === 0) return scaled(first, years / first.years);
  const before = slices[next === -1 ? slices.length - 1 : next - 1]!;
  if (next === -1) return scaled(before, years / before.years);
  const after = slices[next]!;
  const t = (years - before.years) / (after.years - before.years);
  const psi = (1 - t) * before.psi + t * after.psi;
  return {
    theta: (1 - t) * before.theta + t * after.theta,
    rho: ((1 - t) * before.rho * before.psi + t * after.rho * after.psi) / psi,
    psi,
  };
}

function scaled({ theta, rho, psi }: EssviSlice, ratio: number): EssviSlice {
  return { theta: ratio * theta, rho, psi: Math.min(ratio * psi, steepestPsi(ratio * theta, rho)) };
}
