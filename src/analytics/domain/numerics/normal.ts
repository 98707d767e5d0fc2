import { erfcx, erfNearZero } from './erfcx.ts';

const INV_SQRT_2PI = 0.3989422804014327;

/** Density of the standard normal law. */
export function normalPdf(x: number): number {
  return INV_SQRT_2PI * Math.exp(-0.5 * x * x);
}

/**
 * Φ(x), relative error about 1e-15 in both tails down to the smallest doubles. The exponent is split so that
 * rounding x/√2 and x² is not magnified by x² in the left tail.
 */
export function normalCdf(x: number): number {
  const y = Math.abs(x);
  if (y < 0.66) return 0.5 + 0.5 * erfNearZero(x * Math.SQRT1_2);
  if (y > 38.6) return x < 0 ? 0 : 1;
  const high = Math.trunc(y * 16) / 16;
  const tail = 0.5 * Math.exp(-0.5 * high * high) * Math.exp(-0.5 * (y - high) * (y + high)) * erfcx(y * Math.SQRT1_2);
  return x < 0 ? tail : 1 - tail;
}

/** Φ⁻¹(½ + q) for |q| ≤ 0.425: exact where p itself would have lost the digits of a small q. */
export function inverseNormalCentral(q: number): number {
  const r = 0.180625 - q * q;
  const top =
    ((((((2509.0809287301227 * r + 33430.57558358813) * r + 67265.7709270087) * r + 45921.95393154987) * r +
      13731.69376550946) *
      r +
      1971.5909503065513) *
      r +
      133.14166789178438) *
      r +
    3.3871328727963665;
  const bottom =
    ((((((5226.495278852854 * r + 28729.085735721943) * r + 39307.89580009271) * r + 21213.794301586597) * r +
      5394.196021424751) *
      r +
      687.1870074920579) *
      r +
      42.31333070160091) *
      r +
    1;
  return (q * top) / bottom;
}

/**
 * −Φ⁻¹(p) for p ≤ 0.075, from r = √(−ln p): for callers that have ln p and not p, which may underflow. In Estrin's
 * order, as in erfcx.
 */
export function inverseNormalTail(r: number): number {
  const s = r <= 5 ? r - 1.6 : r - 5;
  const ss = s * s;
  const s4 = ss * ss;
  if (r <= 5) {
    const top =
      s4 * ((0.0007745450142783414 * s + 0.022723844989269184) * ss + (0.2417807251774506 * s + 1.2704582524523684)) +
      ((3.6478483247632045 * s + 5.769497221460691) * ss + (4.630337846156546 * s + 1.4234371107496835));
    const bottom =
      s4 *
        ((1.0507500716444169e-9 * s + 0.0005475938084995345) * ss + (0.015198666563616457 * s + 0.14810397642748008)) +
      ((0.6897673349851 * s + 1.6763848301838038) * ss + (2.053191626637759 * s + 1));
    return top / bottom;
  }
  const top =
    s4 *
      ((2.0103343992922881e-7 * s + 0.000027115555687434876) * ss +
        (0.0012426609473880784 * s + 0.026532189526576124)) +
    ((0.29656057182850487 * s + 1.7848265399172913) * ss + (5.463784911164114 * s + 6.657904643501103));
  const bottom =
    s4 *
      ((2.0442631033899397e-15 * s + 1.421511758316446e-7) * ss +
        (0.000018463183175100548 * s + 0.0007868691311456133)) +
    ((0.014875361290850615 * s + 0.1369298809227358) * ss + (0.599832206555888 * s + 1));
  return top / bottom;
}

/**
 * Φ⁻¹(p), relative error about 1e-16. Returns ∓Infinity at 0 and 1, NaN outside [0, 1].
 *
 * @see M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Appl. Statist. 37 (1988)
 */
export function inverseNormalCdf(p: number): number {
  const q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) return inverseNormalCentral(q);
  const tail = q < 0 ? p : 1 - p;
  if (tail === 0) return q < 0 ? -Infinity : Infinity;
  const x = inverseNormalTail(Math.sqrt(-Math.log(tail)));
  return q < 0 ? -x : x;
}
