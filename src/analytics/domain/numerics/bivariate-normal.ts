import { gaussLegendre } from './gauss-legendre.ts';
import { normalCdf } from './normal.ts';

/**
 * P(X ≤ h, Y ≤ k) of two standard normals with one correlation between −0.9 and 0.9, absolute error about 1e-9: the
 * tables are made once, for callers that ask for many points.
 *
 * @see Z. Drezner, G. Wesolowsky, "On the computation of the bivariate normal integral", J. Stat. Comput. Simul. 35 (1990)
 */
export function bivariateNormal(correlation: number): (h: number, k: number) => number {
  const { points, weights } = gaussLegendre(12);
  const end = Math.asin(correlation);
  const angles = points.map((x) => 0.5 * end * (1 + x));
  const sines = angles.map(Math.sin);
  const precisions = angles.map((angle) => -0.5 / Math.cos(angle) ** 2);
  const scaled = weights.map((w) => (w * end) / (4 * Math.PI));
  return (h, k) => {
    let sum = normalCdf(h) * normalCdf(k);
    const squares = h * h + k * k;
    if (!(squares < 1e6)) return sum;
    for (let i = 0; i < 12; i++) sum += scaled[i]! * Math.exp(precisions[i]! * (squares - 2 * h * k * sines[i]!));
    return Math.max(sum, 0);
  };
}
