import {
  levenbergMarquardt,
  type NormalEquations,
  type Residuals,
} from '#src/analytics/domain/numerics/levenberg-marquardt.ts';
import type { EssviSlice } from './essvi.ts';
import { leastPsiRatio } from './essvi-arbitrage.ts';
import { FREE, mingoneFree, mingoneSlices, riseOf, shareOf } from './essvi-mingone.ts';
import { essviMisfit, MISFIT } from './essvi-misfit.ts';
import { HOLD, type Nine, ratioSlope, steepestSlopes } from './fit-essvi.ts';
import type { ScaledQuotes } from './smile-misfit.ts';

/**
 * Fits all slices at once from an arbitrage-free start, in the free numbers of Mingone's map, so that an early slice
 * gives way where later ones are better known. Every surface it passes is free of arbitrage.
 */
export function refineEssvi(quotes: readonly ScaledQuotes[], start: readonly EssviSlice[]): EssviSlice[] {
  const free = mingoneFree(start);
  const { x } = levenbergMarquardt(surfaceProblem(quotes, free), free, { tolerance: 1e-4, limit: 16 });
  const refined = mingoneSlices(x);
  // A start on a bound is moved off it before the search, which may cost more than the search gains.
  return loss(quotes, refined) < loss(quotes, start) ? refined : [...start];
}

function loss(quotes: readonly ScaledQuotes[], slices: readonly EssviSlice[]): number {
  const unused = new Float64Array(MISFIT);
  return slices.reduce((sum, slice, i) => sum + essviMisfit(quotes[i]!, slice, unused, 0), 0);
}

function surfaceProblem(quotes: readonly ScaledQuotes[], start: Float64Array): Residuals {
  const size = start.length;
  const misfit = new Float64Array(MISFIT);
  const rows = {
    theta: table(quotes.length, size),
    psi: table(quotes.length, size),
    limit: table(quotes.length, size),
  };
  const evaluate = (x: Float64Array, normal: NormalEquations): number => {
    const slices = mingoneSlices(x);
    differentiate(x, slices, rows);
    normal.hessian.fill(0);
    normal.gradient.fill(0);
    let cost = 0;
    for (const [i, slice] of slices.entries()) {
      cost += essviMisfit(quotes[i]!, slice, misfit, 0);
      accumulate(
        misfit,
        { theta: rows.theta[i]!, psi: rows.psi[i]!, lean: i * FREE, turn: 1 - slice.rho ** 2 },
        normal,
      );
    }
    for (let u = 0; u < size; u++) {
      const off = x[u]! - start[u]!;
      cost += 0.5 * HOLD * HOLD * off * off;
      normal.gradient[u]! += HOLD * HOLD * off;
      normal.hessian[u * size + u]! += HOLD * HOLD;
    }
    return cost;
  };
  return { size, evaluate };
}

function table(count: number, size: number): Float64Array[] {
  return Array.from({ length: count }, () => new Float64Array(size));
}

interface Rows {
  readonly theta: readonly Float64Array[];
  readonly psi: readonly Float64Array[];
  readonly limit: readonly Float64Array[];
}

/** Derivatives of every θ and ψ by all free numbers: the recursions of the map, differentiated on their active side. */
function differentiate(x: Float64Array, slices: readonly EssviSlice[], { theta, psi, limit }: Rows): void {
  const ratios = slices.map(({ rho }, i) => (i === 0 ? 1 : leastPsiRatio(slices[i - 1]!.rho, rho)));
  for (let i = 0; i < slices.length; i++) {
    const row = theta[i]!.fill(0);
    if (i > 0) {
      addMultiple(row, theta[i - 1]!, ratios[i]!);
      addRatio(row, slices, i, slices[i - 1]!.theta);
    }
    row[i * FREE + 1]! += riseOf(x[i * FREE + 1]!);
  }
  const limits = new Float64Array(slices.length);
  for (let i = slices.length - 1; i >= 0; i--) {
    const own = steepestSlopes(slices[i]!.theta, slices[i]!.rho);
    const row = limit[i]!.fill(0);
    const ahead = i + 1 < slices.length ? limits[i + 1]! / ratios[i + 1]! : Infinity;
    limits[i] = Math.min(own.psi, ahead);
    if (own.psi <= ahead) {
      addMultiple(row, theta[i]!, own.byTheta);
      row[i * FREE]! += own.byRho * (1 - slices[i]!.rho ** 2);
    } else {
      addMultiple(row, limit[i + 1]!, 1 / ratios[i + 1]!);
      addRatio(row, slices, i + 1, -ahead / ratios[i + 1]!);
    }
  }
  for (const [i, slice] of slices.entries()) {
    const before = slices[i - 1];
    const row = psi[i]!.fill(0);
    const share = shareOf(x[i * FREE + 2]!);
    const falling = before ? (before.psi * slice.theta) / before.theta : Infinity;
    const least = before ? ratios[i]! * before.psi : 0;
    if (before) {
      addMultiple(row, psi[i - 1]!, (1 - share) * ratios[i]!);
      addRatio(row, slices, i, (1 - share) * before.psi);
    }
    if (before && falling < limits[i]!) {
      addMultiple(row, psi[i - 1]!, (share * slice.theta) / before.theta);
      addMultiple(row, theta[i]!, (share * before.psi) / before.theta);
      addMultiple(row, theta[i - 1]!, (-share * falling) / before.theta);
    } else addMultiple(row, limit[i]!, share);
    row[i * FREE + 2]! += share * (1 - share) * (Math.min(falling, limits[i]!) - least);
  }
}

function addMultiple(to: Float64Array, from: Float64Array, factor: number): void {
  for (let u = 0; u < to.length; u++) to[u]! += factor * from[u]!;
}

/** Adds `factor` times the derivatives of pᵢ, which depends on the leans of slices i − 1 and i alone. */
function addRatio(to: Float64Array, slices: readonly EssviSlice[], i: number, factor: number): void {
  const before = slices[i - 1]!.rho;
  const { rho } = slices[i]!;
  to[i * FREE]! += factor * ratioSlope(before, rho) * (1 - rho * rho);
  to[(i - 1) * FREE]! += factor * (before > rho ? 1 / (1 + rho) : -1 / (1 - rho)) * (1 - before * before);
}

interface SliceRows {
  readonly theta: Float64Array;
  readonly psi: Float64Array;
  /** The one free number that ρ depends on, and its derivative. */
  readonly lean: number;
  readonly turn: number;
}

/** Adds a slice's normal equations by (θ, ρ, ψ), pulled back to the free numbers. */
function accumulate(
  m: Float64Array,
  { theta, psi, lean, turn }: SliceRows,
  { hessian, gradient }: NormalEquations,
): void {
  const size = gradient.length;
  const [gt, gr, gp, tt, rt, rr, pt, pr, pp] = m as unknown as Nine;
  for (let u = 0; u < size; u++) {
    const t = theta[u]!;
    const p = psi[u]!;
    const r = u === lean ? turn : 0;
    if (t === 0 && p === 0 && r === 0) continue;
    gradient[u]! += gt * t + gr * r + gp * p;
    const byTheta = tt * t + rt * r + pt * p;
    const byPsi = pt * t + pr * r + pp * p;
    const row = u * size;
    for (let v = 0; v <= u; v++) hessian[row + v]! += byTheta * theta[v]! + byPsi * psi[v]!;
    if (lean <= u) hessian[row + lean]! += turn * (rt * t + rr * r + pr * p);
  }
}
