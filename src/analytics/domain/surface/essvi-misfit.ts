import type { EssviSlice } from './essvi.ts';
import { HUBER, INSIDE, type ScaledQuotes, STRIDE } from './smile-misfit.ts';

/**
 * Length of the array into which {@link essviMisfit} writes: gradient by (θ, ρ, ψ), then JᵀJ as θθ, ρθ, ρρ, ψθ, ψρ, ψψ.
 */
export const MISFIT = 9;

/**
 * Loss of a slice against scaled quotes and its normal equations by (θ, ρ, ψ), written to `out` from `offset`. The
 * slice must have a total variance above zero everywhere, as those of |ρ| < 1 and θ > 0 have.
 */
export function essviMisfit(
  { rows, count, theta: unit }: ScaledQuotes,
  { theta, rho, psi }: EssviSlice,
  out: Float64Array,
  offset: number,
): number {
  const deviation = Math.sqrt(unit);
  const t = theta / unit;
  const q = psi / deviation;
  let cost = 0;
  let g0 = 0;
  let g1 = 0;
  let g2 = 0;
  let h00 = 0;
  let h10 = 0;
  let h11 = 0;
  let h20 = 0;
  let h21 = 0;
  let h22 = 0;
  for (let i = 0; i < count * STRIDE; i += STRIDE) {
    const x = rows[i]!;
    const u = q * x;
    const root = Math.sqrt(u * (u + 2 * rho * t) + t * t);
    const vol = Math.sqrt(0.5 * (t + rho * u + root));
    const perSpread = rows[i + 2]!;
    const e = (vol - rows[i + 1]!) * perSpread;
    const beyond = e > rows[i + 4]! ? e - rows[i + 4]! : e < rows[i + 3]! ? e - rows[i + 3]! : 0;
    const miss = beyond + INSIDE * e;
    const size = Math.abs(miss);
    const vega = rows[i + 5]!;
    const weight = size > HUBER ? (vega * HUBER) / size : vega;
    cost += vega * (size > HUBER ? HUBER * (size - 0.5 * HUBER) : 0.5 * miss * miss);
    // Half for the derivative of the root, half for that of w.
    const slope = ((beyond === 0 ? INSIDE : 1 + INSIDE) * perSpread) / (4 * vol);
    const inverse = 1 / root;
    const j0 = slope * (1 + (rho * u + t) * inverse);
    const j1 = slope * u * (1 + t * inverse);
    const j2 = slope * x * (rho + (u + rho * t) * inverse);
    const w0 = weight * j0;
    const w1 = weight * j1;
    const w2 = weight * j2;
    g0 += w0 * miss;
    g1 += w1 * miss;
    g2 += w2 * miss;
    h00 += w0 * j0;
    h10 += w1 * j0;
    h11 += w1 * j1;
    h20 += w2 * j0;
    h21 += w2 * j1;
    h22 += w2 * j2;
  }
  out[offset] = g0 / unit;
  out[offset + 1] = g1;
  out[offset + 2] = g2 / deviation;
  out[offset + 3] = h00 / (unit * unit);
  out[offset + 4] = h10 / unit;
  out[offset + 5] = h11;
  out[offset + 6] = h20 / (unit * deviation);
  out[offset + 7] = h21 / deviation;
  out[offset + 8] = h22 / unit;
  return cost;
}
