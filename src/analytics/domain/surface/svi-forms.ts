import type { RawSvi } from './svi.ts';

/** Natural parameters: w = Δ + ½ω(1 + ζρ(k − μ) + √((ζ(k − μ) + ρ)² + 1 − ρ²)). With Δ = μ = 0 a slice of SSVI. */
export interface NaturalSvi {
  readonly delta: number;
  readonly mu: number;
  readonly rho: number;
  readonly omega: number;
  readonly zeta: number;
}

/** Jump-wing parameters: what a trader reads off a smile of a given time to expiry. */
export interface JumpWingSvi {
  /** Variance per year at the money. */
  readonly v: number;
  /** Slope at the money: ∂√w/∂k at k = 0, of the deviation √w. */
  readonly psi: number;
  /** Slope of the put wing over √w(0), at least 0. */
  readonly p: number;
  /** Slope of the call wing over √w(0), at least 0. */
  readonly c: number;
  /** Least variance per year. */
  readonly vtilde: number;
}

export function rawToNatural({ a, b, rho, m, sigma }: RawSvi): NaturalSvi {
  const narrow = Math.sqrt(1 - rho * rho);
  const omega = (2 * b * sigma) / narrow;
  return {
    delta: a - 0.5 * omega * (1 - rho * rho),
    mu: m + (rho * sigma) / narrow,
    rho,
    omega,
    zeta: narrow / sigma,
  };
}

export function naturalToRaw({ delta, mu, rho, omega, zeta }: NaturalSvi): RawSvi {
  return {
    a: delta + 0.5 * omega * (1 - rho * rho),
    b: 0.5 * omega * zeta,
    rho,
    m: mu - rho / zeta,
    sigma: Math.sqrt(1 - rho * rho) / zeta,
  };
}

/** Jump-wing parameters of a smile `years` from expiry; null where its variance at the money is not above zero. */
export function rawToJumpWings({ a, b, rho, m, sigma }: RawSvi, years: number): JumpWingSvi | null {
  const root = Math.sqrt(m * m + sigma * sigma);
  const w = a + b * (root - rho * m);
  if (!(w > 0 && years > 0)) return null;
  const deviation = Math.sqrt(w);
  return {
    v: w / years,
    psi: (0.5 * b * (rho - m / root)) / deviation,
    p: (b * (1 - rho)) / deviation,
    c: (b * (1 + rho)) / deviation,
    vtilde: (a + b * sigma * Math.sqrt(1 - rho * rho)) / years,
  };
}

/**
 * The smile with these jump wings. Null where there is none (the slope at the money steeper than the wings), and where
 * there are many: with the least variance at the money the five numbers do not tell how wide the bend is.
 *
 * With ρ = cos x and m/√(m² + σ²) = cos y the published case distinctions fall together:
 * (v − ṽ)T = b√(m² + σ²)·(1 − cos(x − y)).
 */
export function jumpWingsToRaw({ v, psi, p, c, vtilde }: JumpWingSvi, years: number): RawSvi | null {
  const w = v * years;
  const deviation = Math.sqrt(w);
  const b = 0.5 * deviation * (p + c);
  if (!(b > 0 && p > 0 && c > 0 && w < Infinity)) return null;
  const rho = (c - p) / (c + p);
  const lean = rho - (2 * psi * deviation) / b;
  if (!(lean > -1 && lean < 1)) return null;
  const gap = Math.sin(0.5 * (Math.acos(rho) - Math.acos(lean)));
  const root = ((v - vtilde) * years) / (2 * b * gap * gap);
  if (!(root > 0 && root < Infinity)) return null;
  const sigma = Math.sqrt(1 - lean * lean) * root;
  return { a: vtilde * years - b * sigma * Math.sqrt(1 - rho * rho), b, rho, m: lean * root, sigma };
}

/**
 * The nearest smile that is a slice of SSVI: same variance and slope at the money and same put wing, with call wing
 * c = p + 2ψ and least variance ṽ = v·4pc/(p + c)². Null where that call wing is not above zero.
 *
 * @see J. Gatheral and A. Jacquier (2014), section 5.1
 */
export function repairJumpWings(wings: JumpWingSvi): JumpWingSvi | null {
  const { v, psi, p } = wings;
  const c = p + 2 * psi;
  return c > 0 && p > 0 ? { v, psi, p, c, vtilde: (v * 4 * p * c) / (p + c) ** 2 } : null;
}
