import {
  levenbergMarquardt,
  type NormalEquations,
  type Residuals,
} from '#src/analytics/domain/numerics/levenberg-marquardt.ts';
import type { EssviSlice } from './essvi.ts';
import { isCalendarFree, leastPsiRatio, steepestPsi } from './essvi-arbitrage.ts';
import { rhoOf, riseOf, shareOf } from './essvi-mingone.ts';
import { essviMisfit, MISFIT } from './essvi-misfit.ts';
import type { ScaledQuotes } from './smile-misfit.ts';

/**
 * Strength with which parameters that the quotes do not determine (the lean and bend of an expiry of one strike) are
 * held at the start of the fit, in half-spreads per unit of a free number.
 */
export const HOLD = 0.02;

/**
 * Fits the slices of a surface one after the other, the nearest expiry first, each free of arbitrage by itself and
 * against the one before. Quick, but an early slice that is off binds all later ones: see `refineEssvi`.
 */
export function fitEssvi(quotes: readonly ScaledQuotes[]): EssviSlice[] {
  const slices: EssviSlice[] = [];
  for (const scaled of quotes) slices.push(fitSlice(scaled, slices.at(-1) ?? null));
  return slices;
}

const SETTINGS = { tolerance: 1e-4, limit: 25 };

/**
 * The best slice by itself, if it is free of arbitrage against the one before; else the best after that one, from a
 * start as near to it as may be. The start has another lean than the slice before: where the leans are equal the bound
 * on θ and ψ has a kink, which a search by derivatives does not leave.
 */
function fitSlice(scaled: ScaledQuotes, before: EssviSlice | null): EssviSlice {
  const guess = guessOf(scaled, before);
  const alone = levenbergMarquardt(sliceProblem(scaled, null, guess), guess, SETTINGS).x;
  const slice = sliceOf(alone, null);
  if (!before || isAfter(slice, before)) return slice;
  const start = startAfter(slice, before);
  return sliceOf(levenbergMarquardt(sliceProblem(scaled, before, start), start, SETTINGS).x, before);
}

/** Free numbers of a smile of equities, or of one shaped like the slice before, at the money as quoted. */
function guessOf({ theta }: ScaledQuotes, before: EssviSlice | null): Float64Array {
  const rho = before?.rho ?? -0.5;
  const psi = before ? before.psi * Math.sqrt(theta / before.theta) : Math.sqrt(theta);
  return Float64Array.of(Math.atanh(rho), Math.log(theta), logit(psi / steepestPsi(theta, rho)));
}

/**
 * Checks whether Mingone's map reaches the slice from the one before: no arbitrage between them, and φ does not rise.
 */
function isAfter(slice: EssviSlice, before: EssviSlice): boolean {
  return isCalendarFree(before, slice) && slice.psi / slice.theta <= before.psi / before.theta;
}

function startAfter({ theta, rho, psi }: EssviSlice, before: EssviSlice): Float64Array {
  let lean = rho;
  // Too far from the lean before, the later slice would find no ψ below its butterfly bound.
  for (let i = 0; i < 8; i++, lean = 0.5 * (lean + before.rho)) {
    const ratio = leastPsiRatio(before.rho, lean);
    const rise = Math.max(theta - ratio * before.theta, 0.02 * before.theta);
    const after = ratio * before.theta + rise;
    const least = ratio * before.psi;
    const most = Math.min((before.psi * after) / before.theta, steepestPsi(after, lean));
    if (most > least) return Float64Array.of(Math.atanh(lean), Math.log(rise), logit((psi - least) / (most - least)));
  }
  return Float64Array.of(Math.atanh(before.rho), Math.log(0.02 * before.theta), 0);
}

function logit(share: number): number {
  const inside = Math.min(Math.max(share, 0.05), 0.95);
  return Math.log(inside / (1 - inside));
}

/** The slice of three free numbers after another: Mingone's map without its look ahead. */
function sliceOf(x: Float64Array, before: EssviSlice | null): EssviSlice {
  const rho = rhoOf(x[0]!);
  const ratio = before ? leastPsiRatio(before.rho, rho) : 1;
  const theta = ratio * (before?.theta ?? 0) + riseOf(x[1]!);
  const least = before ? ratio * before.psi : 0;
  const own = steepestPsi(theta, rho);
  const most = before ? Math.min((before.psi * theta) / before.theta, own) : own;
  return { theta, rho, psi: least + shareOf(x[2]!) * (most - least) };
}

function sliceProblem(scaled: ScaledQuotes, before: EssviSlice | null, start: Float64Array): Residuals {
  const misfit = new Float64Array(MISFIT);
  const evaluate = (x: Float64Array, normal: NormalEquations): number => {
    const slice = sliceOf(x, before);
    // Beyond the butterfly bound: the slice before leaves this lean no ψ.
    if (!(before === null || leastPsiRatio(before.rho, slice.rho) * before.psi < slice.psi)) return Infinity;
    const cost = essviMisfit(scaled, slice, misfit, 0);
    pullBack(misfit, derivatives(x, slice, before), normal);
    return cost + hold(x, start, normal);
  };
  return { size: 3, evaluate };
}

interface SliceDerivatives {
  /** Derivatives of θ by the first two free numbers, of ρ by the first, of ψ by all three. */
  readonly t0: number;
  readonly t1: number;
  readonly r0: number;
  readonly p0: number;
  readonly p1: number;
  readonly p2: number;
}

function derivatives(x: Float64Array, { theta, rho }: EssviSlice, before: EssviSlice | null): SliceDerivatives {
  const r0 = 1 - rho * rho;
  const share = shareOf(x[2]!);
  const ratio = before ? leastPsiRatio(before.rho, rho) : 1;
  const ratioByRho = before ? ratioSlope(before.rho, rho) : 0;
  const t0 = (before?.theta ?? 0) * ratioByRho * r0;
  const t1 = riseOf(x[1]!);
  const least = before ? ratio * before.psi : 0;
  const bound = steepestSlopes(theta, rho);
  const falling = before ? (before.psi * theta) / before.theta : Infinity;
  const isFalling = falling < bound.psi;
  const most = Math.min(falling, bound.psi);
  const mostByTheta = isFalling ? falling / theta : bound.byTheta;
  const mostByRho = isFalling ? 0 : bound.byRho;
  const leastByRho = (before?.psi ?? 0) * ratioByRho;
  return {
    t0,
    t1,
    r0,
    p0: (1 - share) * leastByRho * r0 + share * (mostByTheta * t0 + mostByRho * r0),
    p1: share * mostByTheta * t1,
    p2: share * (1 - share) * (most - least),
  };
}

/** Derivative of {@link leastPsiRatio} by the later lean. */
export function ratioSlope(rhoBefore: number, rhoAfter: number): number {
  const ratio = leastPsiRatio(rhoBefore, rhoAfter);
  return rhoBefore > rhoAfter ? -ratio / (1 + rhoAfter) : ratio / (1 - rhoAfter);
}

/** {@link steepestPsi} with its derivatives. */
export function steepestSlopes(theta: number, rho: number): { psi: number; byTheta: number; byRho: number } {
  const lean = 1 + Math.abs(rho);
  const psi = steepestPsi(theta, rho);
  const byLean = (-psi * Math.sign(rho)) / lean;
  return 4 / lean < 2 * Math.sqrt(theta / lean)
    ? { psi, byTheta: 0, byRho: byLean }
    : { psi, byTheta: (0.5 * psi) / theta, byRho: 0.5 * byLean };
}

/** Normal equations by the free numbers, from those by (θ, ρ, ψ). */
function pullBack(m: Float64Array, d: SliceDerivatives, { hessian, gradient }: NormalEquations): void {
  const { t0, t1, r0, p0, p1, p2 } = d;
  const [gt, gr, gp, tt, rt, rr, pt, pr, pp] = m as unknown as Nine;
  gradient[0] = gt * t0 + gr * r0 + gp * p0;
  gradient[1] = gt * t1 + gp * p1;
  gradient[2] = gp * p2;
  const t = tt * t0 + rt * r0 + pt * p0;
  const r = rt * t0 + rr * r0 + pr * p0;
  const p = pt * t0 + pr * r0 + pp * p0;
  hessian[0] = t0 * t + r0 * r + p0 * p;
  hessian[3] = t1 * t + p1 * p;
  hessian[6] = p2 * p;
  hessian[4] = tt * t1 * t1 + 2 * pt * t1 * p1 + pp * p1 * p1;
  hessian[7] = p2 * (pt * t1 + pp * p1);
  hessian[8] = pp * p2 * p2;
}

/** The {@link MISFIT} numbers of a misfit. */
export type Nine = readonly [number, number, number, number, number, number, number, number, number];

/** Holds the free numbers but the rise, which any one quote determines. */
function hold(x: Float64Array, start: Float64Array, { hessian, gradient }: NormalEquations): number {
  let cost = 0;
  for (const i of [0, 2]) {
    const off = x[i]! - start[i]!;
    cost += 0.5 * HOLD * HOLD * off * off;
    gradient[i]! += HOLD * HOLD * off;
    hessian[i * 4]! += HOLD * HOLD;
  }
  return cost;
}
